package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * The packet that another one carries. Make one and use it for every packet:
 *
 * <pre>{@code
 * scanner.scan(packet);
 * while (carried.find(packet, scanner)) {
 *   scanner.scan(packet, carried.etherType(), carried.offset());
 *   ...
 * }
 * }</pre>
 *
 * <p>It knows IPv4 and IPv6 in IP (RFC 2003, 4213, 2473), GRE (RFC 2784, 2890), VXLAN (RFC 7348,
 * UDP port 4789), Geneve (RFC 8926, port 6081) and Teredo (RFC 4380, port 3544), and what is not
 * behind an ether type of IP itself: PPPoE sessions (RFC 2516), MPLS (RFC 3032), LLC with SNAP (RFC
 * 1042), and a VLAN tag behind two others. What is encrypted, and what fragments carry, it does not
 * find.
 */
public final class CarriedPacket {
  /** RFC 2784, section 2.1, and RFC 2890, section 2: a checksum, a key, a sequence number. */
  private static final int GRE_CHECKSUM = 0x8000;

  private static final int GRE_KEY = 0x2000;
  private static final int GRE_SEQUENCE = 0x1000;

  /** Routing of RFC 1701, and other versions: what follows is not known then. */
  private static final int GRE_OTHERS = 0x4007;

  private static final int GRE_HEADER_BYTES = 4;
  private static final int GRE_FIELD_BYTES = 4;

  /** Frames of Ethernet in GRE and Geneve: RFC 7637, section 3.2. */
  private static final int BRIDGED = 0x6558;

  private static final int VXLAN_PORT = 4_789;
  private static final int VXLAN_HEADER_BYTES = 8;

  /** Of the first byte: the network identifier is there. */
  private static final int VXLAN_FLAG = 0x08;

  private static final int GENEVE_PORT = 6_081;
  private static final int GENEVE_HEADER_BYTES = 8;

  private static final int TEREDO_PORT = 3_544;

  /** RFC 4380, section 5.1.1: what may stand before the packet. */
  private static final int TEREDO_ORIGIN = 0x0000;

  private static final int TEREDO_ORIGIN_BYTES = 8;
  private static final int TEREDO_AUTHENTICATION = 0x0001;
  private static final int TEREDO_AUTHENTICATION_BYTES = 13;

  private static final int PPPOE_HEADER_BYTES = 6;
  private static final int PPP_IPV4 = 0x0021;
  private static final int PPP_IPV6 = 0x0057;

  private static final int MPLS_LABEL_BYTES = 4;
  private static final int MPLS_BOTTOM = 0x100;
  private static final int MOST_LABELS = 16;

  /** LLC's SAPs of SNAP, unnumbered information, and the organization of ether types. */
  private static final long SNAP = 0xAAAA_03_000000L;

  private static final int SNAP_BYTES = 8;

  private int etherType;
  private int offset;

  /**
   * Finds it in a packet that was just scanned.
   *
   * @return false if the packet carries none that is known: the other methods mean nothing then
   */
  public boolean find(Packet packet, HeaderScanner scanner) {
    if (scanner.isFragment() || !scanner.defect().soundUpToL3()) {
      return false;
    }
    if (scanner.ipVersion() == 0) {
      return scanner.etherType() >= 0 && onLink(packet, scanner.etherType(), scanner.l3Offset());
    }
    int l4 = scanner.l4Offset();
    int end = scanner.ipEnd();
    return l4 >= 0
        && switch (scanner.ipProtocol()) {
          case IpProtocol.IPIP -> found(EtherType.IPV4, l4);
          case IpProtocol.IPV6 -> found(EtherType.IPV6, l4);
          case IpProtocol.GRE -> gre(packet, l4, end);
          case IpProtocol.UDP -> scanner.l4Fits() && udp(packet, l4, end);
          default -> false;
        };
  }

  private boolean found(int type, int at) {
    etherType = type;
    offset = at;
    return true;
  }

  /** A frame of Ethernet that begins there. */
  private boolean ethernet(Packet packet, int at, int end) {
    return end - at >= Ethernet.HEADER_BYTES
        && found(packet.u16(at + Ethernet.HEADER_BYTES - 2), at + Ethernet.HEADER_BYTES);
  }

  private boolean gre(Packet packet, int at, int end) {
    if (end - at < GRE_HEADER_BYTES) {
      return false;
    }
    int flags = packet.u16(at);
    int fields = Integer.bitCount(flags & (GRE_CHECKSUM | GRE_KEY | GRE_SEQUENCE));
    int payload = at + GRE_HEADER_BYTES + GRE_FIELD_BYTES * fields;
    int type = packet.u16(at + 2);
    if ((flags & GRE_OTHERS) != 0 || payload > end) {
      return false;
    }
    return type == BRIDGED ? ethernet(packet, payload, end) : found(type, payload);
  }

  private boolean udp(Packet packet, int at, int end) {
    int ports = packet.i32(at);
    int payload = at + Udp.HEADER_BYTES;
    return switch (ports & 0xFFFF) {
      case VXLAN_PORT ->
          end - payload >= VXLAN_HEADER_BYTES
              && (packet.u8(payload) & VXLAN_FLAG) != 0
              && ethernet(packet, payload + VXLAN_HEADER_BYTES, end);
      case GENEVE_PORT -> geneve(packet, payload, end);
      case TEREDO_PORT -> teredo(packet, payload, end);
      default -> ports >>> 16 == TEREDO_PORT && teredo(packet, payload, end);
    };
  }

  private boolean geneve(Packet packet, int at, int end) {
    if (end - at < GENEVE_HEADER_BYTES || packet.u8(at) >>> 6 != 0) {
      return false;
    }
    int payload = at + GENEVE_HEADER_BYTES + 4 * (packet.u8(at) & 0x3F);
    int type = packet.u16(at + 2);
    if (payload > end) {
      return false;
    }
    return type == BRIDGED ? ethernet(packet, payload, end) : found(type, payload);
  }

  private boolean teredo(Packet packet, int start, int end) {
    int at = start;
    if (end - at >= TEREDO_AUTHENTICATION_BYTES && packet.u16(at) == TEREDO_AUTHENTICATION) {
      at += TEREDO_AUTHENTICATION_BYTES + packet.u8(at + 2) + packet.u8(at + 3);
    }
    if (end - at >= TEREDO_ORIGIN_BYTES && packet.u16(at) == TEREDO_ORIGIN) {
      at += TEREDO_ORIGIN_BYTES;
    }
    return end - at >= Ipv6.HEADER_BYTES
        && packet.u8(at) >>> 4 == Ipv6.VERSION
        && found(EtherType.IPV6, at);
  }

  private boolean onLink(Packet packet, int type, int at) {
    int end = packet.length();
    return switch (type) {
      case EtherType.PPPOE_SESSION -> pppoe(packet, at, end);
      case EtherType.MPLS, EtherType.MPLS_MULTICAST -> mpls(packet, at, end);
      case EtherType.VLAN, EtherType.PROVIDER_BRIDGE, EtherType.QINQ_LEGACY ->
          end - at >= Vlan.HEADER_BYTES
              && found(packet.u16(at + Vlan.ETHER_TYPE), at + Vlan.HEADER_BYTES);
      default ->
          type < EtherType.MIN
              && end - at >= SNAP_BYTES
              && packet.u64(at) >>> 16 == SNAP
              && found(packet.u16(at + SNAP_BYTES - 2), at + SNAP_BYTES);
    };
  }

  private boolean pppoe(Packet packet, int at, int end) {
    int payload = at + PPPOE_HEADER_BYTES;
    if (end - payload < 2) {
      return false;
    }
    return switch (packet.u16(payload)) {
      case PPP_IPV4 -> found(EtherType.IPV4, payload + 2);
      case PPP_IPV6 -> found(EtherType.IPV6, payload + 2);
      default -> false;
    };
  }

  /** Behind the last label by its version: RFC 4928, section 2, has others begin with 0 or 1. */
  private boolean mpls(Packet packet, int start, int end) {
    int at = start;
    for (int labels = 0; labels < MOST_LABELS && end - at > MPLS_LABEL_BYTES; labels++) {
      boolean isLast = (packet.i32(at) & MPLS_BOTTOM) != 0;
      at += MPLS_LABEL_BYTES;
      if (isLast) {
        return switch (packet.u8(at) >>> 4) {
          case Ipv4.VERSION -> found(EtherType.IPV4, at);
          case Ipv6.VERSION -> found(EtherType.IPV6, at);
          default -> false;
        };
      }
    }
    return false;
  }

  /** What its first header is: see {@link EtherType}. */
  public int etherType() {
    return etherType;
  }

  /** Offset of that header; that of Ethernet is before it, where the packet is a frame. */
  public int offset() {
    return offset;
  }
}
