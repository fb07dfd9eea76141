package io.linerate.middlebox.firewall;

import io.linerate.core.memory.Packet;
import io.linerate.middlebox.rule.Rule;
import io.linerate.middlebox.rule.RuleAction;
import io.linerate.middlebox.rule.RuleSet;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.classify.SourceClassifier;
import io.linerate.wire.classify.SourceRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Rules about sources and protocols only, in the form in which plain IPv4 packets are matched: a
 * few as a class of their own, see {@link CompiledRules}, otherwise in tables, see {@link
 * SourceClassifier}.
 *
 * <p>A key has the layout of the eight bytes of an IPv4 header from TTL to source, so that one read
 * and one mask make it:
 *
 * <pre>
 *  | TTL (0) | protocol | checksum (0) | source          |
 *  63        55         47             31                0
 * </pre>
 *
 * Immutable, shared by all workers.
 */
final class SourceTable {
  /** Offset of the TTL in the IPv4 header: RFC 791, section 3.1. */
  static final int KEY_OFFSET = 8;

  static final long KEY_MASK = 0x00FF_0000_FFFF_FFFFL;
  static final int PROTOCOL_SHIFT = SourceClassifier.PROTOCOL_SHIFT;
  private static final long PROTOCOL_MASK = 0xFFL << PROTOCOL_SHIFT;

  private final KeyMatcher matcher;

  private SourceTable(List<SourceRule> rules, int noMatch) {
    matcher =
        rules.size() <= CompiledRules.MAX_RULES
            ? CompiledRules.of(
                column(rules, SourceTable::mask),
                column(rules, SourceTable::value),
                rules.stream().mapToInt(SourceRule::number).toArray(),
                noMatch)
            : new InTables(new SourceClassifier(rules, noMatch));
  }

  private record InTables(SourceClassifier classifier) implements KeyMatcher {
    @Override
    public void match(long[] keys, int count, int[] verdicts) {
      classifier.match(keys, count, verdicts);
    }
  }

  /** The table of a set; none if one of its rules asks for more than source and protocol. */
  static Optional<SourceTable> of(RuleSet set) {
    List<SourceRule> rules = new ArrayList<>();
    for (int i = 0; i < set.rules().size(); i++) {
      Rule rule = set.rules().get(i);
      if (!isAboutSource(rule)) {
        return Optional.empty();
      }
      int protocol =
          rule.when().protocols().isEmpty()
              ? SourceRule.ANY_PROTOCOL
              : rule.when().protocols().iterator().next();
      List<IpPrefix> sources =
          rule.when().sources().isEmpty() ? List.of(Ipv4Prefix.ANY) : rule.when().sources();
      for (IpPrefix source : sources) {
        if (source instanceof Ipv4Prefix ipv4) {
          rules.add(new SourceRule(ipv4, protocol, i));
        }
      }
    }
    return Optional.of(new SourceTable(rules, set.defaultIndex()));
  }

  private static boolean isAboutSource(Rule rule) {
    return rule.action() != RuleAction.REJECT
        && rule.when().in().isEmpty()
        && rule.when().out().isEmpty()
        && rule.when().vlans().isEmpty()
        && rule.when().etherTypes().isEmpty()
        && rule.when().versions().contains(4)
        && rule.when().protocols().size() <= 1
        && rule.when().destinations().isEmpty()
        && rule.when().sourcePorts().isEmpty()
        && rule.when().destinationPorts().isEmpty()
        && rule.when().flags().isEmpty()
        && rule.when().relations().isEmpty()
        && !rule.when().isByName()
        && !rule.isLogged()
        && rule.limit().isEmpty();
  }

  private static long[] column(List<SourceRule> rules, ToLongFunction<SourceRule> field) {
    return rules.stream().mapToLong(field).toArray();
  }

  private static long mask(SourceRule rule) {
    long addresses = 0xFFFF_FFFFL & (-1L << (Integer.SIZE - rule.source().bits()));
    return addresses | (rule.protocol() < 0 ? 0 : PROTOCOL_MASK);
  }

  private static long value(SourceRule rule) {
    return Integer.toUnsignedLong(rule.source().address())
        | ((long) Math.max(0, rule.protocol()) << PROTOCOL_SHIFT);
  }

  /** The key of an IPv4 header. */
  static long key(Packet packet, int ipv4Offset) {
    return packet.u64(ipv4Offset + KEY_OFFSET) & KEY_MASK;
  }

  /**
   * The first rule that matches, by its place in the list, of the key of each packet; the length of
   * the list if none does.
   *
   * @param keys what they leave out is not looked at; a negative one has its verdict in its lower
   *     half
   * @param verdicts where the answers go
   */
  void match(long[] keys, int count, int[] verdicts) {
    matcher.match(keys, count, verdicts);
  }
}
