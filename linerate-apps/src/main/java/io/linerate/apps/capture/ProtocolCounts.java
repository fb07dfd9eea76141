package io.linerate.apps.capture;

import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleUnit;
import io.linerate.core.counter.SingleWriterCounters;
import io.linerate.core.memory.Packet;
import io.linerate.wire.EtherType;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.PlainIpv4;
import io.linerate.wire.PlainIpv6;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Packets by protocol: that of the IP header behind the link layer, VLAN tags and extension
 * headers, or else the ether type. Packets whose headers are unsound are {@code malformed}.
 */
final class ProtocolCounts {
  private static final int IP_UNKNOWN = IpProtocol.MAX + 1;
  private static final int ARP = IpProtocol.MAX + 2;
  private static final int OTHER = IpProtocol.MAX + 3;
  private static final int MALFORMED = IpProtocol.MAX + 4;

  private final SingleWriterCounters counts = new SingleWriterCounters(MALFORMED + 1);
  private final HeaderScanner scanner = new HeaderScanner();

  /**
   * Counts a packet that says its protocol without a scan: nearly all traffic.
   *
   * @return whether it is one
   */
  boolean addPlain(Packet packet) {
    if (PlainIpv4.is(packet)) {
      counts.increment(PlainIpv4.protocol(packet));
    } else if (PlainIpv6.is(packet)) {
      counts.increment(PlainIpv6.protocol(packet));
    } else {
      return false;
    }
    return true;
  }

  /** Counts any packet. */
  void add(Packet packet) {
    counts.increment(scanned(packet));
  }

  private int scanned(Packet packet) {
    if (!scanner.scanAny(packet)) {
      return MALFORMED;
    }
    if (scanner.ipVersion() != 0) {
      return scanner.ipProtocol() >= 0 ? scanner.ipProtocol() : IP_UNKNOWN;
    }
    return scanner.etherType() == EtherType.ARP ? ARP : OTHER;
  }

  /** Adds what another thread has counted until now. */
  void addAll(ProtocolCounts other) {
    counts.addAll(other.counts);
  }

  /** By number: of IP, then the other kinds. */
  List<Long> toList() {
    return counts.toList();
  }

  /** Those that were seen, the most frequent first. */
  Map<String, Long> byName() {
    Map<String, Long> named = new LinkedHashMap<>();
    for (int i = 0; i < counts.size(); i++) {
      if (counts.get(i) > 0) {
        named.put(name(i), counts.get(i));
      }
    }
    Map<String, Long> sorted = new LinkedHashMap<>();
    named.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
    return sorted;
  }

  /** Says how many packets of each protocol were seen. */
  void collect(SampleSink sink) {
    byName()
        .forEach((protocol, packets) ->
            sink.counter(
                "linerate_protocol_packets_total",
                SampleUnit.PACKETS,
                packets,
                "protocol",
                protocol));
  }

  private static String name(int index) {
    return switch (index) {
      case IP_UNKNOWN -> "ip-unknown";
      case ARP -> "arp";
      case OTHER -> "other";
      case MALFORMED -> "malformed";
      default -> IpProtocol.name(index);
    };
  }
}
