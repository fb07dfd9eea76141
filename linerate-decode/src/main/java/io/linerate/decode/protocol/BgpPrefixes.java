package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.protocol.BgpProtocol.BGP;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;

/** What routes are of: prefixes, by address family, with labels and distinguishers. */
final class BgpPrefixes {
  private static final int IPV4_FAMILY = 1;
  private static final int IPV6_FAMILY = 2;
  private static final int LAYER_2_FAMILY = 25;
  private static final int UNICAST = 1;
  private static final int MULTICAST = 2;
  private static final int LABELED = 4;
  private static final int EVPN = 70;
  private static final int LABELED_VPN = 128;
  private static final int LABEL_BYTES = 3;
  private static final int DISTINGUISHER_BYTES = 8;
  private static final int WITHDRAWN_LABEL = 0x800000;

  private static final Field LENGTH =
      BGP.source("RFC 4271, section 4.3")
          .floating("bgp.prefix_length", 8, DECIMAL, "Prefix length");
  private static final Field PATH =
      BGP.source("RFC 7911, section 3").floating("bgp.nlri_path_id", 32, DECIMAL, "Path");
  private static final Field WITHDRAWN =
      BGP.floating("bgp.withdrawn_prefix", 32, IPV4, "Prefix withdrawn");
  private static final Field PREFIX = BGP.floating("bgp.nlri_prefix", 32, IPV4, "Prefix");
  private static final Field FAMILY =
      BGP.source("RFC 4760, section 3")
          .floating("bgp.update.path_attribute.mp_reach_nlri.afi", 16, DECIMAL, "Address family");
  private static final Field SUBSEQUENT =
      BGP.floating("bgp.update.path_attribute.mp_reach_nlri.safi", 8, DECIMAL, "Subsequent family");
  private static final Field NEXT_HOP_RD =
      BGP.floating(
          "bgp.update.path_attribute.mp_reach_nlri.next_hop.rd", 64, TEXT, "Next hop's domain");
  private static final Field NEXT_HOP_4 =
      BGP.floating("bgp.update.path_attribute.mp_reach_nlri.next_hop.ipv4", 32, IPV4, "Next hop");
  private static final Field NEXT_HOP_6 =
      BGP.floating("bgp.update.path_attribute.mp_reach_nlri.next_hop.ipv6", 128, IPV6, "Next hop");
  private static final Field NEXT_HOP_LINK =
      BGP.floating(
          "bgp.update.path_attribute.mp_reach_nlri.next_hop.ipv6.link_local",
          128,
          IPV6,
          "Next hop on the link");
  private static final Field NEXT_HOP_OTHER =
      BGP.floating("bgp.update.path_attribute.mp_reach_nlri.next_hop.data", 0, BYTES, "Next hop");
  private static final Field ATTACHMENTS =
      BGP.floating(
          "bgp.update.path_attribute.mp_reach_nlri.nbr_snpa", 8, DECIMAL, "Attachment points");
  private static final Field ATTACHMENT_LENGTH =
      BGP.floating(
          "bgp.update.path_attribute.mp_reach_nlri.snpa_length", 8, DECIMAL, "Attachment length");
  private static final Field ATTACHMENT =
      BGP.floating("bgp.update.path_attribute.mp_reach_nlri.snpa", 0, BYTES, "Attachment point");
  private static final Field UNREACHABLE_FAMILY =
      BGP.source("RFC 4760, section 4")
          .floating("bgp.update.path_attribute.mp_unreach_nlri.afi", 16, DECIMAL, "Address family");
  private static final Field UNREACHABLE_SUBSEQUENT =
      BGP.floating(
          "bgp.update.path_attribute.mp_unreach_nlri.safi", 8, DECIMAL, "Subsequent family");
  private static final Field PREFIX_4 =
      BGP.floating("bgp.mp_reach_nlri_ipv4_prefix", 32, IPV4, "Prefix");
  private static final Field PREFIX_6 =
      BGP.floating("bgp.mp_reach_nlri_ipv6_prefix", 128, IPV6, "Prefix");
  private static final Field UNREACHABLE_4 =
      BGP.floating("bgp.mp_unreach_nlri_ipv4_prefix", 32, IPV4, "Prefix withdrawn");
  private static final Field UNREACHABLE_6 =
      BGP.floating("bgp.mp_unreach_nlri_ipv6_prefix", 128, IPV6, "Prefix withdrawn");
  private static final Field LABELS =
      BGP.source("RFC 8277, section 2").floating("bgp.label_stack", 0, TEXT, "Labels");
  private static final Field DISTINGUISHER =
      BGP.source("RFC 4364, section 4.2").floating("bgp.rd", 64, TEXT, "Route distinguisher");
  private static final Field OTHER =
      BGP.source("RFC 4760, section 5").floating("bgp.nlri", 0, BYTES, "Routes");

  private BgpPrefixes() {}

  /** Declares the fields: BGP's are complete only then. */
  static void declare() {
    BgpEvpn.declare();
  }

  static void withdrawn(Dissection dissection) {
    plain(dissection, WITHDRAWN, 4);
  }

  static void reachable(Dissection dissection) {
    plain(dissection, PREFIX, 4);
  }

  static void multiprotocolReachable(Dissection dissection) {
    int family = (int) dissection.add(FAMILY);
    int subsequent = (int) dissection.add(SUBSEQUENT);
    int length = dissection.u8(0);
    dissection.skip(1);
    int before = dissection.enter(length);
    nextHop(dissection);
    dissection.leave(before);
    int attachments = (int) dissection.add(ATTACHMENTS);
    for (int i = 0; i < attachments && dissection.expectsMore(); i++) {
      int units = (int) dissection.add(ATTACHMENT_LENGTH);
      dissection.add(ATTACHMENT, (units + 1) / 2);
    }
    routes(dissection, family, subsequent, true);
  }

  static void multiprotocolUnreachable(Dissection dissection) {
    int family = (int) dissection.add(UNREACHABLE_FAMILY);
    int subsequent = (int) dissection.add(UNREACHABLE_SUBSEQUENT);
    routes(dissection, family, subsequent, false);
  }

  /** Its length says what it is: RFC 4364, section 4.3.2; RFC 2545, section 3; RFC 4659. */
  private static void nextHop(Dissection dissection) {
    switch (dissection.left()) {
      case 4 -> dissection.add(NEXT_HOP_4);
      case 12 -> {
        distinguisher(dissection, NEXT_HOP_RD);
        dissection.add(NEXT_HOP_4);
      }
      case 16 -> dissection.add(NEXT_HOP_6);
      case 24 -> {
        distinguisher(dissection, NEXT_HOP_RD);
        dissection.add(NEXT_HOP_6);
      }
      case 32 -> {
        dissection.add(NEXT_HOP_6);
        dissection.add(NEXT_HOP_LINK);
      }
      default -> dissection.addLeft(NEXT_HOP_OTHER);
    }
  }

  private static void routes(
      Dissection dissection, int family, int subsequent, boolean isReachable) {
    boolean isIp = family == IPV4_FAMILY || family == IPV6_FAMILY;
    int addressBytes = family == IPV4_FAMILY ? 4 : 16;
    Field field =
        family == IPV4_FAMILY
            ? isReachable ? PREFIX_4 : UNREACHABLE_4
            : isReachable ? PREFIX_6 : UNREACHABLE_6;
    if (isIp && (subsequent == UNICAST || subsequent == MULTICAST)) {
      plain(dissection, field, addressBytes);
    } else if (isIp && (subsequent == LABELED || subsequent == LABELED_VPN)) {
      while (dissection.left() > 0) {
        labeled(dissection, field, addressBytes, subsequent == LABELED_VPN);
      }
    } else if (family == LAYER_2_FAMILY && subsequent == EVPN) {
      BgpEvpn.dissect(dissection);
    } else {
      dissection.addLeft(OTHER);
    }
  }

  private static void plain(Dissection dissection, Field field, int addressBytes) {
    boolean hasPaths = !fits(dissection, addressBytes, 0) && fits(dissection, addressBytes, 4);
    while (dissection.left() > 0) {
      if (hasPaths) {
        dissection.add(PATH);
      }
      int length = (int) dissection.add(LENGTH);
      prefix(dissection, field, length, addressBytes);
    }
  }

  /** Whether prefixes end where the routes do, if so many bytes are before each. */
  private static boolean fits(Dissection dissection, int addressBytes, int pathBytes) {
    int at = 0;
    while (dissection.has(at + pathBytes + 1)) {
      int length = dissection.u8(at + pathBytes);
      if (length > 8 * addressBytes) {
        return false;
      }
      at += pathBytes + 1 + (length + 7) / 8;
    }
    return at == dissection.left();
  }

  private static void prefix(Dissection dissection, Field field, int length, int addressBytes) {
    int bytes = (length + 7) / 8;
    if (bytes > addressBytes) {
      dissection.malformed();
      dissection.skip(dissection.left());
    } else if (addressBytes != 4) {
      dissection.add(field, bytes);
    } else if (dissection.has(bytes)) {
      long address = 0;
      for (int i = 0; i < bytes; i++) {
        address |= (long) dissection.u8(i) << (24 - 8 * i);
      }
      dissection.value(field, address, 0, bytes);
      dissection.skip(bytes);
    } else {
      dissection.skip(bytes);
    }
  }

  /** Labels, and a distinguisher for VPNs, count to the length of the prefix. */
  private static void labeled(
      Dissection dissection, Field field, int addressBytes, boolean hasDistinguisher) {
    int length = (int) dissection.add(LENGTH);
    int labels = labelBytes(dissection);
    labels(dissection, labels);
    int left = length - 8 * labels;
    if (hasDistinguisher) {
      distinguisher(dissection, DISTINGUISHER);
      left -= 8 * DISTINGUISHER_BYTES;
    }
    prefix(dissection, field, left < 0 ? Integer.MAX_VALUE - 7 : left, addressBytes);
  }

  private static int labelBytes(Dissection dissection) {
    int bytes = 0;
    while (dissection.has(bytes + LABEL_BYTES)) {
      int label = (dissection.u16(bytes) << 8) | dissection.u8(bytes + 2);
      bytes += LABEL_BYTES;
      if ((label & 1) != 0 || label == WITHDRAWN_LABEL || label == 0) {
        return bytes;
      }
    }
    return bytes;
  }

  private static void labels(Dissection dissection, int bytes) {
    if (dissection.wants(LABELS)) {
      StringBuilder text = dissection.text();
      for (int i = 0; i < bytes; i += LABEL_BYTES) {
        int label = (dissection.u16(i) << 8) | dissection.u8(i + 2);
        boolean isWithdrawn = label == WITHDRAWN_LABEL || label == 0;
        text.append(i == 0 ? "" : ",").append(isWithdrawn ? 0 : label >>> 4);
        text.append(isWithdrawn ? " (withdrawn)" : (label & 1) != 0 ? " (bottom)" : "");
      }
      dissection.text(LABELS, text, 0, bytes);
    }
    dissection.skip(bytes);
  }

  /** RFC 4364, section 4.2: a type, and a number that a system or an address assigned. */
  private static void distinguisher(Dissection dissection, Field field) {
    if (dissection.has(DISTINGUISHER_BYTES) && dissection.wants(field)) {
      StringBuilder text = dissection.text();
      switch (dissection.u16(0)) {
        case 0 -> text.append(dissection.u16(2)).append(':').append(dissection.u32(4));
        case 1 -> {
          for (int i = 2; i < 6; i++) {
            text.append(dissection.u8(i)).append(i < 5 ? '.' : ':');
          }
          text.append(dissection.u16(6));
        }
        case 2 -> text.append(dissection.u32(2)).append(':').append(dissection.u16(6));
        default -> text.append("unknown type ").append(dissection.u16(0));
      }
      dissection.text(field, text, 0, DISTINGUISHER_BYTES);
    }
    dissection.skip(DISTINGUISHER_BYTES);
  }
}
