package io.linerate.middlebox.nat;

import io.linerate.core.memory.Packet;
import io.linerate.wire.FlowKey;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;

/**
 * Writes headers of IP without options in place of those of the other version, with their class of
 * traffic and hops that are left (RFC 7915, sections 4.1 and 5.1). One thread's own.
 */
final class IpHeaderWriter {
  private static final int DONT_FRAGMENT = 0x4000;

  private static final int FLAGS = 4;
  private static final int TTL = 8;
  private static final int SOURCE = 12;
  private static final int DESTINATION = 16;
  private static final int PAYLOAD_LENGTH = 4;
  private static final int HOP_LIMIT = 7;
  private static final int SOURCE6 = 8;
  private static final int DESTINATION6 = 24;

  private int identification;

  /**
   * @param identification the first one
   */
  IpHeaderWriter(int identification) {
    this.identification = identification;
  }

  /** What is taken over from a header of IPv6. */
  static int classAndHopLimit(Packet packet, int l3) {
    return (packet.u16(l3) << 4 & 0xFF00) | packet.u8(l3 + HOP_LIMIT);
  }

  /** What is taken over from a header of IPv4. */
  static int classAndTtl(Packet packet, int l3) {
    return (packet.u8(l3 + 1) << 8) | packet.u8(l3 + TTL);
  }

  /**
   * Writes a header of IPv4.
   *
   * @param payloadBytes behind it
   * @param flow its addresses and protocol
   * @param mayBeCut whether routers may make fragments of it, for which it is given a number
   */
  void ipv4(
      Packet packet, int l3, int classAndHops, int payloadBytes, FlowKey flow, boolean mayBeCut) {
    int total = Ipv4.HEADER_BYTES + payloadBytes;
    packet.i32(l3, 0x4500_0000 | (classAndHops & 0xFF00) << 8 | total);
    packet.i32(l3 + FLAGS, mayBeCut ? identification++ << 16 : DONT_FRAGMENT);
    packet.i32(l3 + TTL, classAndHops << 24 | flow.protocol() << 16);
    packet.i32(l3 + SOURCE, (int) flow.sourceLow());
    packet.i32(l3 + DESTINATION, (int) flow.destinationLow());
    InternetChecksum.writeIpv4Header(packet, l3);
  }

  /** Writes a header of IPv6 likewise. */
  void ipv6(Packet packet, int l3, int classAndHops, int payloadBytes, FlowKey flow) {
    packet.i32(l3, Ipv6.VERSION << 28 | (classAndHops & 0xFF00) << 12);
    packet.i32(
        l3 + PAYLOAD_LENGTH, payloadBytes << 16 | flow.protocol() << 8 | (classAndHops & 0xFF));
    packet.u64(l3 + SOURCE6, flow.sourceHigh());
    packet.u64(l3 + SOURCE6 + 8, flow.sourceLow());
    packet.u64(l3 + DESTINATION6, flow.destinationHigh());
    packet.u64(l3 + DESTINATION6 + 8, flow.destinationLow());
  }
}
