package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.MAC;
import static io.linerate.decode.protocol.BgpProtocol.BGP;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;

/** Routes of EVPN: a type, a length, and what the type says. */
final class BgpEvpn {
  private static final int AUTO_DISCOVERY = 1;
  private static final int MAC_ADVERTISEMENT = 2;
  private static final int INCLUSIVE_MULTICAST = 3;
  private static final int ETHERNET_SEGMENT = 4;
  private static final int IP_PREFIX = 5;

  private static final Field TYPE =
      BGP.source("RFC 7432, section 7")
          .floating(
              "bgp.evpn.nlri.rt",
              8,
              DECIMAL,
              "EVPN route",
              ValueNames.from0(
                  "Reserved",
                  "Auto-discovery",
                  "MAC advertisement",
                  "Inclusive multicast",
                  "Ethernet segment",
                  "IP prefix"));
  private static final Field LENGTH =
      BGP.floating("bgp.evpn.nlri.len", 8, DECIMAL, "EVPN route length");
  private static final Field DISTINGUISHER =
      BGP.floating("bgp.evpn.nlri.rd", 64, BYTES, "EVPN distinguisher");
  private static final Field SEGMENT =
      BGP.floating("bgp.evpn.nlri.segment", 80, BYTES, "Ethernet segment");
  private static final Field SEGMENT_TYPE =
      BGP.floating("bgp.evpn.nlri.esi.type", 8, DECIMAL, "Ethernet segment kind");
  private static final Field TAG = BGP.floating("bgp.evpn.nlri.etag", 32, DECIMAL, "Ethernet tag");
  private static final Field MAC_LENGTH =
      BGP.floating("bgp.evpn.nlri.maclen", 8, DECIMAL, "MAC address length");
  private static final Field MAC_ADDRESS =
      BGP.floating("bgp.evpn.nlri.mac_addr", 48, MAC, "MAC address");
  private static final Field IP_LENGTH =
      BGP.floating("bgp.evpn.nlri.iplen", 8, DECIMAL, "IP address length");
  private static final Field PREFIX_LENGTH =
      BGP.source("RFC 9136, section 3.1")
          .floating("bgp.evpn.nlri.prefix_len", 8, DECIMAL, "Prefix length");
  private static final Field ADDRESS_4 =
      BGP.floating("bgp.evpn.nlri.ip.addr", 32, IPV4, "IPv4 address");
  private static final Field ADDRESS_6 =
      BGP.floating("bgp.evpn.nlri.ipv6.addr", 128, IPV6, "IPv6 address");
  private static final Field GATEWAY_4 =
      BGP.floating("bgp.evpn.nlri.ipv4.gtw_addr", 32, IPV4, "IPv4 gateway");
  private static final Field GATEWAY_6 =
      BGP.floating("bgp.evpn.nlri.ipv6.gtw_addr", 128, IPV6, "IPv6 gateway");
  private static final Parts LABEL_1 =
      BGP.parts(24).part("bgp.evpn.nlri.mpls_ls1", 20, DECIMAL, "Label 1");
  private static final Parts LABEL_2 =
      BGP.parts(24).part("bgp.evpn.nlri.mpls_ls2", 20, DECIMAL, "Label 2");
  private static final Parts PREFIX_LABEL =
      BGP.parts(24).part("bgp.evpn.nlri.prefix_label", 20, DECIMAL, "Label of the prefix");
  private static final Field DATA = BGP.floating("bgp.evpn.nlri.data", 0, BYTES, "EVPN route data");

  private static final int IPV4_PREFIX_BYTES = 34;

  private BgpEvpn() {}

  /** Declares the fields: BGP's are complete only then. */
  static void declare() {}

  /** Goes through all routes from the cursor to the end. */
  static void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      int type = (int) dissection.add(TYPE);
      int length = (int) dissection.add(LENGTH);
      int before = dissection.enter(length);
      route(dissection, type, length);
      dissection.addLeft(DATA);
      dissection.leave(before);
    }
  }

  private static void route(Dissection dissection, int type, int length) {
    if (type < AUTO_DISCOVERY || type > IP_PREFIX) {
      return;
    }
    dissection.add(DISTINGUISHER);
    if (type != INCLUSIVE_MULTICAST) {
      dissection.value(SEGMENT_TYPE, dissection.u8(0), 0, 1);
      dissection.add(SEGMENT);
    }
    if (type != ETHERNET_SEGMENT) {
      dissection.add(TAG);
    }
    switch (type) {
      case AUTO_DISCOVERY -> dissection.add(LABEL_1);
      case MAC_ADVERTISEMENT -> {
        dissection.add(MAC_LENGTH);
        dissection.add(MAC_ADDRESS);
        address(dissection);
        dissection.add(LABEL_1);
        if (dissection.left() > 0) {
          dissection.add(LABEL_2);
        }
      }
      case INCLUSIVE_MULTICAST, ETHERNET_SEGMENT -> address(dissection);
      default -> {
        boolean isIpv4 = length == IPV4_PREFIX_BYTES;
        dissection.add(PREFIX_LENGTH);
        dissection.add(isIpv4 ? ADDRESS_4 : ADDRESS_6);
        dissection.add(isIpv4 ? GATEWAY_4 : GATEWAY_6);
        dissection.add(PREFIX_LABEL);
      }
    }
  }

  private static void address(Dissection dissection) {
    switch ((int) dissection.add(IP_LENGTH)) {
      case 32 -> dissection.add(ADDRESS_4);
      case 128 -> dissection.add(ADDRESS_6);
      default -> {}
    }
  }
}
