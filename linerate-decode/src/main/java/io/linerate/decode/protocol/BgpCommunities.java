package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLOAT;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.MAC;
import static io.linerate.decode.protocol.BgpProtocol.BGP;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;

/** Extended communities: eight bytes each, a type, a subtype and a value. */
final class BgpCommunities {
  private static final int NOT_TRANSITIVE = 0x40;
  private static final int TWO_BYTE_SYSTEM = 0;
  private static final int ADDRESS = 1;
  private static final int FOUR_BYTE_SYSTEM = 2;
  private static final int OPAQUE = 3;
  private static final int EVPN = 6;
  private static final int LINK_BANDWIDTH = 0x04;
  private static final int OPAQUE_COLOR = 0x0B;
  private static final int OPAQUE_ENCAPSULATION = 0x0C;
  private static final int EVPN_ROUTER_MAC = 0x03;

  private static final Parts TYPE =
      BGP.source("RFC 4360, section 2")
          .parts("bgp.ext_com.type", 8, HEX, "Extended community")
          .flag("bgp.ext_com.type.auth", "Assigned by IANA's consensus")
          .flag("bgp.ext_com.type.tran", "Not transitive");
  private static final Field AS2 =
      BGP.floating("bgp.ext_com.stype_tr_as2", 8, HEX, "Subtype of a two-byte system");
  private static final Field AS2_LOCAL =
      BGP.floating("bgp.ext_com.stype_ntr_as2", 8, HEX, "Subtype of a two-byte system");
  private static final Field AS4 =
      BGP.floating("bgp.ext_com.stype_tr_as4", 8, HEX, "Subtype of a four-byte system");
  private static final Field AS4_LOCAL =
      BGP.floating("bgp.ext_com.stype_ntr_as4", 8, HEX, "Subtype of a four-byte system");
  private static final Field IP4 =
      BGP.floating("bgp.ext_com.stype_tr_IP4", 8, HEX, "Subtype of an address");
  private static final Field IP4_LOCAL =
      BGP.floating("bgp.ext_com.stype_ntr_IP4", 8, HEX, "Subtype of an address");
  private static final Field OPAQUE_SUBTYPE =
      BGP.floating("bgp.ext_com.stype_tr_opaque", 8, HEX, "Opaque subtype");
  private static final Field OPAQUE_LOCAL =
      BGP.floating("bgp.ext_com.stype_ntr_opaque", 8, HEX, "Opaque subtype");
  private static final Field EVPN_SUBTYPE =
      BGP.floating("bgp.ext_com.stype_tr_evpn", 8, HEX, "EVPN subtype");
  private static final Field UNKNOWN = BGP.floating("bgp.ext_com.stype_unknown", 8, HEX, "Subtype");
  private static final Field SYSTEM_2 =
      BGP.floating("bgp.ext_com.value_as2", 16, DECIMAL, "System");
  private static final Field SYSTEM_4 =
      BGP.floating("bgp.ext_com.value_as4", 32, DECIMAL, "System");
  private static final Field ADDRESS_4 = BGP.floating("bgp.ext_com.value_IP4", 32, IPV4, "Address");
  private static final Field NUMBER_2 =
      BGP.floating("bgp.ext_com.value_an2", 16, DECIMAL, "Assigned number");
  private static final Field NUMBER_4 =
      BGP.floating("bgp.ext_com.value_an4", 32, DECIMAL, "Assigned number");
  private static final Field BANDWIDTH =
      BGP.floating("bgp.ext_com.value_link_bw", 32, FLOAT, "Link bandwidth in bytes per second");
  private static final Field TUNNEL =
      BGP.source("RFC 9012, section 4.1")
          .floating("bgp.ext_com.tunnel_type", 16, DECIMAL, "Tunnel");
  private static final Field COLOR =
      BGP.source("RFC 9012, section 4.3").floating("bgp.ext_com.color", 32, DECIMAL, "Color");
  private static final Field ROUTER_MAC =
      BGP.source("RFC 9135, section 8.1")
          .floating("bgp.ext_com_evpn.esi.router_mac", 48, MAC, "Router's address");
  private static final Field RAW =
      BGP.source("RFC 4360, section 2").floating("bgp.ext_com.value_raw", 48, HEX, "Value");

  private static final int COMMUNITY_BYTES = 8;

  private BgpCommunities() {}

  /** Declares the fields: BGP's are complete only then. */
  static void declare() {}

  /** Goes through all communities from the cursor to the end. */
  static void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      int type = (int) dissection.add(TYPE);
      boolean isLocal = (type & NOT_TRANSITIVE) != 0;
      int before = dissection.enter(COMMUNITY_BYTES - 1);
      value(dissection, type, isLocal);
      dissection.leave(before);
    }
  }

  private static void value(Dissection dissection, int type, boolean isLocal) {
    switch (type & ~NOT_TRANSITIVE) {
      case TWO_BYTE_SYSTEM -> {
        int subtype = (int) dissection.add(isLocal ? AS2_LOCAL : AS2);
        dissection.add(SYSTEM_2);
        dissection.add(isLocal && subtype == LINK_BANDWIDTH ? BANDWIDTH : NUMBER_4);
      }
      case ADDRESS -> {
        dissection.add(isLocal ? IP4_LOCAL : IP4);
        dissection.add(ADDRESS_4);
        dissection.add(NUMBER_2);
      }
      case FOUR_BYTE_SYSTEM -> {
        dissection.add(isLocal ? AS4_LOCAL : AS4);
        dissection.add(SYSTEM_4);
        dissection.add(NUMBER_2);
      }
      case OPAQUE -> opaque(dissection, isLocal);
      case EVPN -> {
        int subtype = (int) dissection.add(EVPN_SUBTYPE);
        dissection.add(subtype == EVPN_ROUTER_MAC ? ROUTER_MAC : RAW);
      }
      default -> {
        dissection.add(UNKNOWN);
        dissection.add(RAW);
      }
    }
  }

  private static void opaque(Dissection dissection, boolean isLocal) {
    int subtype = (int) dissection.add(isLocal ? OPAQUE_LOCAL : OPAQUE_SUBTYPE);
    if (!isLocal && subtype == OPAQUE_ENCAPSULATION) {
      dissection.skip(4);
      dissection.add(TUNNEL);
    } else if (!isLocal && subtype == OPAQUE_COLOR) {
      dissection.skip(2);
      dissection.add(COLOR);
    } else {
      dissection.add(RAW);
    }
  }
}
