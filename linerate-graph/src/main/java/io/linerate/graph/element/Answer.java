package io.linerate.graph.element;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.MacAddress;
import org.jspecify.annotations.Nullable;

/**
 * Makes packets that go back to the sender of another one, on the way that this one came: Ethernet
 * addresses turned round, the same VLAN tags, and a header of IP without options. For elements that
 * answer; one thread's own.
 */
public final class Answer {
  /** RFC 1700's default, and that of RFC 4861's routers. */
  static final int TTL = 64;

  private static final int ETHER_TYPE_BYTES = 2;
  private static final int ADDRESSES_BYTES = Ethernet.HEADER_BYTES - ETHER_TYPE_BYTES;

  private final Outlet out;
  private final Ethernet ethernet = new Ethernet();
  private final Ethernet newEthernet = new Ethernet();
  private final Ipv4 ipv4 = new Ipv4();
  private final Ipv4 newIpv4 = new Ipv4();
  private final Ipv6 ipv6 = new Ipv6();
  private final Ipv6 newIpv6 = new Ipv6();
  private int identification;

  /**
   * @param out where the packets leave
   */
  public Answer(Outlet out) {
    this.out = out;
  }

  /** Whether a packet was sent to several stations of its link. */
  public boolean isToSeveral(Packet packet) {
    return MacAddress.isMulticast(ethernet.wrap(packet, 0).destination());
  }

  /**
   * To the source of a packet of IPv4.
   *
   * @param source address
   * @param bytes behind the header of IP, which the caller writes
   * @return null when no buffer is free
   */
  public @Nullable Packet make4(
      Packet packet, HeaderScanner scanner, int source, int dscp, int protocol, int bytes) {
    int l3 = scanner.l3Offset();
    Packet made = begin(packet, l3, Ipv4.HEADER_BYTES + bytes);
    if (made == null) {
      return null;
    }
    made.u64(l3, 0x45L << 56);
    newIpv4
        .wrap(made, l3)
        .dscp(dscp)
        .totalLength(Ipv4.HEADER_BYTES + bytes)
        .identification(identification++ & 0xFFFF)
        .ttl(TTL)
        .protocol(protocol)
        .source(source)
        .destination(ipv4.wrap(packet, l3).source());
    InternetChecksum.writeIpv4Header(made, l3);
    return made;
  }

  /** As {@link #make4}, of IPv6. */
  public @Nullable Packet make6(
      Packet packet,
      HeaderScanner scanner,
      long sourceHigh,
      long sourceLow,
      int protocol,
      int bytes) {
    int l3 = scanner.l3Offset();
    Packet made = begin(packet, l3, Ipv6.HEADER_BYTES + bytes);
    if (made == null) {
      return null;
    }
    ipv6.wrap(packet, l3);
    made.i32(l3, Ipv6.VERSION << 28);
    newIpv6
        .wrap(made, l3)
        .payloadLength(bytes)
        .nextHeader(protocol)
        .hopLimit(TTL)
        .source(sourceHigh, sourceLow)
        .destination(ipv6.sourceHigh(), ipv6.sourceLow());
    return made;
  }

  /**
   * Has a packet that was made go on the way of that for which it was made, instead of back. The
   * sum of both addresses, and so each checksum, is the same.
   */
  public void goOn(Packet made, Packet packet, HeaderScanner scanner) {
    int l3 = scanner.l3Offset();
    ethernet.wrap(packet, 0);
    newEthernet.wrap(made, 0).source(ethernet.source()).destination(ethernet.destination());
    if (scanner.ipVersion() == Ipv4.VERSION) {
      ipv4.wrap(packet, l3);
      newIpv4.wrap(made, l3).source(ipv4.source()).destination(ipv4.destination());
    } else {
      ipv6.wrap(packet, l3);
      newIpv6
          .wrap(made, l3)
          .source(ipv6.sourceHigh(), ipv6.sourceLow())
          .destination(ipv6.destinationHigh(), ipv6.destinationLow());
    }
  }

  private @Nullable Packet begin(Packet packet, int l3, int bytes) {
    Packet made = out.create(l3 + bytes);
    if (made == null) {
      return null;
    }
    ethernet.wrap(packet, 0);
    newEthernet.wrap(made, 0).destination(ethernet.source()).source(ethernet.destination());
    made.set(ADDRESSES_BYTES, packet, ADDRESSES_BYTES, l3 - ADDRESSES_BYTES);
    return made;
  }
}
