package io.linerate.wire;

import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;

/**
 * The header that a packet begins with, whichever its {@link LinkType} has: where it ends, and the
 * ether type of what follows. Layouts: tcpdump.org/linktypes.html.
 *
 * <p>It reads Ethernet, raw IP, BSD loopback, PPP, PPPoE, Cisco HDLC, Linux cooked captures, IEEE
 * 802.11 with and without radiotap, and netfilter's log. It believes no length, does a bounded
 * amount of work and makes no object. The answers hold until the next {@link #read}.
 *
 * <pre>
 *  NULL, LOOP:  0 address family, 4 packet
 *  PPP:         0 address 0xff, 1 control 0x03 (both may be left out), protocol of 1 or 2 bytes
 *  PPP_ETHER:   0 version and type, 1 code, 2 session, 4 length, 6 protocol, 8 packet
 *  C_HDLC:      0 address, 1 control, 2 ether type, 4 packet
 *  LINUX_SLL:   0 packet type, 2 ARPHRD_, 4 address bytes, 6 address of the sender, 14 ether type, 16 packet
 *  LINUX_SLL2:  0 ether type, 2 zero, 4 interface, 8 ARPHRD_, 10 packet type, 11 address bytes, 12 address, 20 packet
 *  NFLOG:       0 address family, 1 version, 2 resource; attributes: 0 length, 2 type, 4 value
 * </pre>
 */
public final class LinkHeader {
  /** {@link #etherType} of what has none. */
  public static final int NONE = -1;

  private static final int LLC_SNAP = 0xAAAA03;
  private static final int LLC_BYTES = 8;
  private static final int LLC_PROTOCOL = 4;
  private static final int PPP_ADDRESS_CONTROL = 0xFF03;
  private static final int ARPHRD_FRAD = 770;
  private static final int ARPHRD_IPGRE = 778;
  private static final int ARPHRD_RADIOTAP = 803;
  private static final int ARPHRD_NETLINK = 824;
  private static final int NFLOG_PAYLOAD = 9;
  private static final int NFLOG_ATTRIBUTES = 64;

  private final WirelessHeader wireless = new WirelessHeader();
  private int etherType = NONE;
  private int payloadOffset = NONE;
  private long destination;
  private long source;

  /**
   * Reads the header of a packet.
   *
   * @return whether it is there as a whole, as far as this class knows its type
   * @throws IllegalStateException if the packet was sent or dropped
   */
  public boolean read(Packet packet) {
    etherType = NONE;
    payloadOffset = NONE;
    destination = 0;
    source = 0;
    int type = packet.linkType().number();
    return switch (type) {
      case 0, 108 -> family(packet);
      case 1 -> ethernet(packet);
      case 9 -> ppp(packet, 0);
      case 50 -> isCiscoHdlc(packet) ? field(packet, 2, 4) : ppp(packet, 0);
      case 51 -> packet.length() >= 6 && protocol(packet, 6);
      case 101 -> raw(packet);
      case 104 -> field(packet, 2, 4);
      case 105 -> dot11(packet, 0, false);
      case 113 -> cooked(packet);
      case 127 -> wireless.radiotap(packet) && dot11(packet, wireless.end(), wireless.isPadded());
      case 166 -> packet.length() >= 2 && protocol(packet, 2);
      case 228 -> follows(packet, EtherType.IPV4, 0);
      case 229 -> follows(packet, EtherType.IPV6, 0);
      case 239 -> netfilterLog(packet);
      case 276 -> cooked2(packet);
      default -> true;
    };
  }

  /** Ether type of what follows, see {@link EtherType}; {@link #NONE} if the header names none. */
  public int etherType() {
    return etherType;
  }

  /** Offset of what follows, {@link #NONE} if {@link #etherType} is. */
  public int payloadOffset() {
    return payloadOffset;
  }

  /** MAC address of the receiver, 0 if the header has none. */
  public long destination() {
    return destination;
  }

  /** MAC address of the sender, 0 if the header has none. */
  public long source() {
    return source;
  }

  private boolean follows(Packet packet, int type, int at) {
    if (at > packet.length()) {
      return false;
    }
    etherType = type;
    payloadOffset = type == NONE ? NONE : at;
    return true;
  }

  /** Of a header with the ether type at a fixed place. */
  private boolean field(Packet packet, int at, int end) {
    return packet.length() >= end && follows(packet, packet.u16(at), end);
  }

  private boolean ethernet(Packet packet) {
    if (packet.length() < Ethernet.HEADER_BYTES) {
      return false;
    }
    destination = MacAddress.at(packet, 0);
    source = MacAddress.at(packet, 6);
    return field(packet, Ethernet.HEADER_BYTES - 2, Ethernet.HEADER_BYTES);
  }

  private boolean raw(Packet packet) {
    return packet.length() > 0 && follows(packet, version(packet.u8(0) >>> 4), 0);
  }

  private static int version(int version) {
    return switch (version) {
      case Ipv4.VERSION -> EtherType.IPV4;
      case Ipv6.VERSION -> EtherType.IPV6;
      default -> NONE;
    };
  }

  /** In either byte order: the number is small. */
  private boolean family(Packet packet) {
    if (packet.length() < 4) {
      return false;
    }
    int family = packet.i32(0);
    return follows(packet, ofFamily(family >>> 16 == 0 ? family : Integer.reverseBytes(family)), 4);
  }

  /** AF_INET everywhere, AF_INET6 of Linux, NetBSD, FreeBSD and Darwin. */
  private static int ofFamily(int family) {
    return switch (family) {
      case 2 -> EtherType.IPV4;
      case 10, 24, 28, 30 -> EtherType.IPV6;
      default -> NONE;
    };
  }

  /** Unicast or broadcast of Cisco's where PPP has 0xff. */
  private static boolean isCiscoHdlc(Packet packet) {
    return packet.length() > 0 && (packet.u8(0) == 0x0F || packet.u8(0) == 0x8F);
  }

  private boolean ppp(Packet packet, int at) {
    boolean hasAddress = packet.length() >= at + 2 && packet.u16(at) == PPP_ADDRESS_CONTROL;
    return protocol(packet, hasAddress ? at + 2 : at);
  }

  /** RFC 1661, section 2: the lowest bit of a protocol's last byte is 1, of the first of two 0. */
  private boolean protocol(Packet packet, int at) {
    int left = packet.length() - at;
    if (left < 1) {
      return false;
    }
    int first = packet.u8(at);
    if ((first & 1) != 0) {
      return follows(packet, ofPpp(first), at + 1);
    }
    return left >= 2 && follows(packet, ofPpp(packet.u16(at)), at + 2);
  }

  private static int ofPpp(int protocol) {
    return switch (protocol) {
      case 0x0021 -> EtherType.IPV4;
      case 0x0057 -> EtherType.IPV6;
      case 0x0281 -> EtherType.MPLS;
      case 0x0283 -> EtherType.MPLS_MULTICAST;
      default -> NONE;
    };
  }

  private boolean cooked(Packet packet) {
    if (packet.length() < 16) {
      return false;
    }
    if (packet.u16(4) == 6) {
      source = MacAddress.at(packet, 6);
    }
    return cooked(packet, packet.u16(2), packet.u16(14), 16);
  }

  private boolean cooked2(Packet packet) {
    if (packet.length() < 20) {
      return false;
    }
    if (packet.u8(11) == 6) {
      source = MacAddress.at(packet, 12);
    }
    return cooked(packet, packet.u16(8), packet.u16(0), 20);
  }

  private boolean cooked(Packet packet, int hardware, int protocol, int at) {
    boolean isOther =
        switch (hardware) {
          case ARPHRD_FRAD, ARPHRD_IPGRE, ARPHRD_RADIOTAP, ARPHRD_NETLINK -> true;
          default -> false;
        };
    if (isOther) {
      return true;
    }
    if (protocol == LLC_PROTOCOL) {
      return llc(packet, at);
    }
    return protocol < EtherType.MIN || follows(packet, protocol, at);
  }

  /** IEEE 802.2 with SNAP, RFC 1042. Other services have no ether type. */
  private boolean llc(Packet packet, int at) {
    if (packet.length() - at < LLC_BYTES) {
      return packet.length() - at >= 3 && packet.u16(at) != LLC_SNAP >>> 8;
    }
    boolean isSnap = packet.i32(at) >>> 8 == LLC_SNAP;
    return !isSnap || field(packet, at + LLC_BYTES - 2, at + LLC_BYTES);
  }

  private boolean dot11(Packet packet, int at, boolean isPadded) {
    if (!wireless.data(packet, at, isPadded)) {
      return wireless.isWhole();
    }
    destination = wireless.destination();
    source = wireless.source();
    return llc(packet, wireless.end());
  }

  /** Attributes are in the byte order of the machine that captured, mostly little-endian. */
  private boolean netfilterLog(Packet packet) {
    if (packet.length() < 4) {
      return false;
    }
    int at = 4;
    for (int i = 0; i < NFLOG_ATTRIBUTES && packet.length() - at >= 4; i++) {
      int length = Short.toUnsignedInt(Short.reverseBytes((short) packet.u16(at)));
      int type = Short.toUnsignedInt(Short.reverseBytes((short) packet.u16(at + 2)));
      if (length < 4 || length > packet.length() - at) {
        return false;
      }
      if (type == NFLOG_PAYLOAD) {
        return follows(packet, ofFamily(packet.u8(0)), at + 4);
      }
      at += length + 3 & ~3;
    }
    return true;
  }
}
