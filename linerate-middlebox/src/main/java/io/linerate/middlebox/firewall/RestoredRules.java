package io.linerate.middlebox.firewall;

import io.linerate.middlebox.rule.Direction;
import io.linerate.middlebox.rule.RuleLookup;
import io.linerate.middlebox.rule.RulePacket;
import io.linerate.middlebox.rule.RuleSet;
import io.linerate.track.ConnectionRecords;
import io.linerate.track.Relation;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Tcp;
import io.linerate.wire.classify.PortRange;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Whether rules would let a connection begin that another program knew: in some direction, with
 * some VLAN tag, since records tell neither. One thread's own.
 */
final class RestoredRules {
  private static final int VLANS = 4_096;

  private final RuleEdition edition;
  private final List<RuleLookup> lookups = new ArrayList<>();
  private final int[] vlans;
  private final int[] flags;

  /**
   * @param picksUp whether connections may begin in their middle
   */
  RestoredRules(RuleBook book, boolean picksUp) {
    edition = book.edition();
    for (Direction each : book.directions()) {
      lookups.add(new RuleLookup(edition.matcher(each)));
    }
    vlans = vlans(edition.rules());
    flags = picksUp ? new int[] {Tcp.SYN, Tcp.ACK} : new int[] {Tcp.SYN};
  }

  /** One of each kind that rules tell apart: where a list of theirs begins, or has just ended. */
  private static int[] vlans(RuleSet rules) {
    IntStream edges =
        rules.rules().stream()
            .flatMap(rule -> rule.when().vlans().stream())
            .flatMapToInt(RestoredRules::edges)
            .filter(vlan -> vlan < VLANS);
    return IntStream.concat(IntStream.of(RulePacket.UNTAGGED, 0), edges).distinct().toArray();
  }

  private static IntStream edges(PortRange range) {
    return IntStream.of(range.first(), range.last() + 1);
  }

  boolean pass(ConnectionRecords records, int number) {
    boolean isTcp = records.protocol(number) == IpProtocol.TCP;
    for (RuleLookup lookup : lookups) {
      for (int vlan : vlans) {
        for (int i = 0; i < (isTcp ? flags.length : 1); i++) {
          if (pass(lookup, vlan, isTcp ? flags[i] : 0, records, number)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private boolean pass(
      RuleLookup lookup, int vlan, int flagBits, ConnectionRecords records, int number) {
    int place = 2 * number; // Of the direction of its first packet.
    int protocol = records.protocol(number);
    boolean isIcmp = protocol == IpProtocol.ICMP || protocol == IpProtocol.ICMPV6;
    int ports =
        isIcmp // The type of the request.
            ? records.destinationPort(place) << (Short.SIZE + Byte.SIZE)
            : records.sourcePort(place) << Short.SIZE | records.destinationPort(place);
    lookup.begin(1);
    if (records.ipVersion(place) == Ipv4.VERSION) {
      long addresses = records.sourceLow(place) << Integer.SIZE | records.destinationLow(place);
      lookup.addIpv4(0, Relation.NEW, vlan, flagBits, addresses, protocol, ports);
    } else {
      lookup.addIpv6(
          0,
          Relation.NEW,
          vlan,
          flagBits,
          records.sourceHigh(place),
          records.sourceLow(place),
          records.destinationHigh(place),
          records.destinationLow(place),
          protocol,
          ports);
    }
    lookup.match();
    return edition.passes()[lookup.number(0)];
  }
}
