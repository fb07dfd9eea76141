package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * ARP for IPv4 over Ethernet, RFC 826. MAC addresses are the low 48 bits of a {@code long}, IPv4
 * addresses raw {@code int}s.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |         Hardware Type         |         Protocol Type         |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |  Hardware Len |  Protocol Len |           Operation           |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                    Sender Hardware Address                    |
 *  +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                               |    Sender Protocol Address    |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |    (Sender Protocol Address)  |    Target Hardware Address    |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+                               +
 *  |                                                               |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                    Target Protocol Address                    |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 */
public final class Arp extends HeaderView<Arp> {
  public static final int REQUEST = 1;
  public static final int REPLY = 2;

  private static final int HARDWARE_TYPE = 0;
  private static final int PROTOCOL_TYPE = HARDWARE_TYPE + 2;
  private static final int LENGTHS = PROTOCOL_TYPE + 2;
  private static final int OPERATION = LENGTHS + 2;
  private static final int SENDER_HARDWARE = OPERATION + 2;
  private static final int SENDER_PROTOCOL = SENDER_HARDWARE + 6;
  private static final int TARGET_HARDWARE = SENDER_PROTOCOL + 4;
  private static final int TARGET_PROTOCOL = TARGET_HARDWARE + 6;
  public static final int HEADER_BYTES = TARGET_PROTOCOL + 4;

  /** Hardware type Ethernet (1), protocol type IPv4, address lengths 6 and 4. */
  private static final int ETHERNET_IPV4 = 1 << 16 | EtherType.IPV4;

  private static final int LENGTHS_6_4 = 6 << 8 | 4;

  /** Whether a whole ARP message of IPv4 over Ethernet is there. */
  public static boolean fits(Packet packet, int offset) {
    return offset >= 0
        && offset <= packet.length() - HEADER_BYTES
        && packet.i32(offset + HARDWARE_TYPE) == ETHERNET_IPV4
        && packet.u16(offset + LENGTHS) == LENGTHS_6_4;
  }

  public Arp wrap(Packet newPacket, int newOffset) {
    return at(newPacket, newOffset);
  }

  /** Writes the types and lengths of IPv4 over Ethernet, so that it {@link #fits}. */
  public Arp ethernetIpv4() {
    packet.i32(offset + HARDWARE_TYPE, ETHERNET_IPV4);
    return u16(LENGTHS, LENGTHS_6_4);
  }

  /** {@link #REQUEST}, {@link #REPLY} or another. */
  public int operation() {
    return packet.u16(offset + OPERATION);
  }

  public Arp operation(int operation) {
    return u16(OPERATION, operation);
  }

  public long senderHardwareAddress() {
    return u48(SENDER_HARDWARE);
  }

  public Arp senderHardwareAddress(long address) {
    return u48(SENDER_HARDWARE, address);
  }

  public int senderProtocolAddress() {
    return packet.i32(offset + SENDER_PROTOCOL);
  }

  public Arp senderProtocolAddress(int address) {
    return i32(SENDER_PROTOCOL, address);
  }

  public long targetHardwareAddress() {
    return u48(TARGET_HARDWARE);
  }

  public Arp targetHardwareAddress(long address) {
    return u48(TARGET_HARDWARE, address);
  }

  public int targetProtocolAddress() {
    return packet.i32(offset + TARGET_PROTOCOL);
  }

  public Arp targetProtocolAddress(int address) {
    return i32(TARGET_PROTOCOL, address);
  }
}
