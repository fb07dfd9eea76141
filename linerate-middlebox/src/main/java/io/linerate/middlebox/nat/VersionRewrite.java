package io.linerate.middlebox.nat;

import io.linerate.core.memory.Packet;
import io.linerate.track.ConnectionRecords;
import io.linerate.track.ConnectionTracker;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;

/**
 * Gives packets of connections whose directions are of different versions of IP, and errors about
 * them, the header that they have on the other side: as {@link
 * io.linerate.middlebox.session.SessionRewrite} does where both are of IPv4. For the packet that a
 * tracker looked at last; each method says whether it could.
 */
final class VersionRewrite {
  private static final int SOURCE = 12;

  private final ConnectionTracker tracker;
  private final ConnectionRecords records;
  private final Nat64 nat64;
  private final HeaderTranslation headers;
  private final ErrorTranslation errors;
  private final FlowKey other = new FlowKey();
  private final FlowKey flow = new FlowKey();

  /**
   * @param records of the tracker's table
   * @param identification of the first packet of IPv4 that may be cut
   */
  VersionRewrite(
      ConnectionTracker tracker, ConnectionRecords records, Nat64 nat64, int identification) {
    this.tracker = tracker;
    this.records = records;
    this.nat64 = nat64;
    IpHeaderWriter writer = new IpHeaderWriter(identification);
    headers = new HeaderTranslation(nat64.mtuBytes(), writer);
    errors = new ErrorTranslation(nat64.mtuBytes(), writer);
  }

  /** A packet of a connection: its header is that of the other direction, turned round. */
  boolean packet(Packet packet) {
    readOther();
    flow.reverseOf(other);
    HeaderScanner scanner = tracker.scanner();
    return other.ipVersion() == Ipv4.VERSION
        ? headers.toIpv4(packet, scanner, flow)
        : headers.toIpv6(packet, scanner, flow);
  }

  /** An error: what it quotes came the other way. */
  boolean error(Packet packet) {
    readOther();
    HeaderScanner scanner = tracker.scanner();
    if (other.ipVersion() == Ipv4.VERSION) {
      return errors.toIpv4(packet, scanner, tracker.quoted(), other);
    }
    int from = packet.i32(scanner.l3Offset() + SOURCE);
    return errors.toIpv6(
        packet, scanner, tracker.quoted(), other, nat64.high(from), nat64.low(from));
  }

  private void readOther() {
    int place = tracker.place() ^ 1;
    int version = records.ipVersion(place);
    other.protocol(version, protocol(version, records.protocol(place >>> 1)));
    other.source(records.sourceHigh(place), records.sourceLow(place), records.sourcePort(place));
    other.destination(
        records.destinationHigh(place),
        records.destinationLow(place),
        records.destinationPort(place));
  }

  /** A protocol as it is called in a version of IP. */
  static int protocol(int version, int protocol) {
    return switch (protocol) {
      case IpProtocol.ICMP, IpProtocol.ICMPV6 ->
          version == Ipv4.VERSION ? IpProtocol.ICMP : IpProtocol.ICMPV6;
      default -> protocol;
    };
  }
}
