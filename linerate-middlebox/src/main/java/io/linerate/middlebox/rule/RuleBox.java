package io.linerate.middlebox.rule;

import io.linerate.track.Relation;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6Prefix;
import io.linerate.wire.classify.FlowBatch;
import io.linerate.wire.classify.PortRange;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Packets of one version of IP, or that are not IP, whose fields each have one of some values.
 * Immutable.
 *
 * @param fields the same fields in all boxes of a version
 */
record RuleBox(List<NumberSet> fields) {
  private static final int FLAGS = 256;

  RuleBox {
    fields = List.copyOf(fields);
  }

  /**
   * What a rule matches, whatever ports of the program packets come and leave by.
   *
   * @param version 4, 6, or 0 for what is not IP
   */
  static Optional<RuleBox> of(RuleConditions when, int version) {
    boolean isIp = when.etherTypes().isEmpty();
    if (isIp != (version != 0) || (isIp && !when.versions().contains(version))) {
      return Optional.empty();
    }
    List<NumberSet> fields = new ArrayList<>();
    if (isIp) {
      fields.add(addresses(when.sources(), version));
      fields.add(addresses(when.destinations(), version));
      fields.add(numbers(when.protocols(), FlowBatch.UNKNOWN_PROTOCOL));
      fields.add(ports(when.destinationPorts(), PortRange.ANY.last()));
      fields.add(ports(when.sourcePorts(), PortRange.ANY.last()));
      fields.add(
          numbers(when.relations().stream().map(Relation::number).toList(), Relation.COUNT - 1));
      fields.add(flags(when.flags()));
    } else {
      fields.add(numbers(when.etherTypes(), Character.MAX_VALUE));
    }
    fields.add(ports(when.vlans(), RulePacket.UNTAGGED));
    return fields.stream().anyMatch(NumberSet::isEmpty)
        ? Optional.empty()
        : Optional.of(new RuleBox(fields));
  }

  private static NumberSet addresses(List<IpPrefix> prefixes, int version) {
    List<IpPrefix> some =
        prefixes.isEmpty()
            ? List.of(version == 4 ? Ipv4Prefix.ANY : Ipv6Prefix.ANY)
            : prefixes.stream().filter(prefix -> prefix.version() == version).toList();
    return NumberSet.of(some.stream().map(RuleBox::range).toList());
  }

  private static NumberSet.Range range(IpPrefix prefix) {
    BigInteger first =
        switch (prefix) {
          case Ipv4Prefix ipv4 -> BigInteger.valueOf(Integer.toUnsignedLong(ipv4.address()));
          case Ipv6Prefix ipv6 ->
              unsigned(ipv6.high()).shiftLeft(Long.SIZE).add(unsigned(ipv6.low()));
        };
    int free = (prefix.version() == 4 ? Integer.SIZE : 2 * Long.SIZE) - prefix.bits();
    BigInteger others = BigInteger.ONE.shiftLeft(free).subtract(BigInteger.ONE);
    return new NumberSet.Range(first, first.add(others));
  }

  private static BigInteger unsigned(long value) {
    return new BigInteger(Long.toUnsignedString(value));
  }

  /** Empty: all from 0 to the last. */
  private static NumberSet numbers(Collection<Integer> some, int last) {
    return some.isEmpty()
        ? NumberSet.of(List.of(NumberSet.Range.of(0, last)))
        : NumberSet.of(some.stream().map(each -> NumberSet.Range.of(each, each)).toList());
  }

  private static NumberSet ports(List<PortRange> some, int last) {
    return some.isEmpty()
        ? numbers(List.of(), last)
        : NumberSet.of(
            some.stream().map(each -> NumberSet.Range.of(each.first(), each.last())).toList());
  }

  private static NumberSet flags(Optional<RuleConditions.Flags> flags) {
    return flags
        .map(some ->
            numbers(IntStream.range(0, FLAGS).filter(some::match).boxed().toList(), FLAGS - 1))
        .orElseGet(() -> numbers(List.of(), FLAGS - 1));
  }

  /** Whether some packet is in both. */
  boolean meets(RuleBox other) {
    for (int i = 0; i < fields.size(); i++) {
      if (!fields.get(i).meets(other.fields.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** The packets that are not in the other, as boxes that do not meet. */
  List<RuleBox> minus(RuleBox other) {
    List<RuleBox> left = new ArrayList<>();
    List<NumberSet> rest = new ArrayList<>(fields);
    for (int i = 0; i < fields.size(); i++) {
      NumberSet outside = fields.get(i).minus(other.fields.get(i));
      if (!outside.isEmpty()) {
        List<NumberSet> piece = new ArrayList<>(rest);
        piece.set(i, outside);
        left.add(new RuleBox(piece));
      }
      rest.set(i, fields.get(i).and(other.fields.get(i)));
    }
    return left;
  }
}
