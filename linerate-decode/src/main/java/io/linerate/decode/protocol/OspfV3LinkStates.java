package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.protocol.OspfProtocol.OSPF;
import static io.linerate.decode.protocol.OspfProtocol.RESERVED;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;

/** Link state advertisements of OSPF, version 3. */
final class OspfV3LinkStates {
  private static final int ROUTER = 1;
  private static final int NETWORK = 2;
  private static final int INTER_AREA_PREFIX = 3;
  private static final int INTER_AREA_ROUTER = 4;
  private static final int EXTERNAL = 5;
  private static final int NSSA = 7;
  private static final int LINK = 8;
  private static final int INTRA_AREA_PREFIX = 9;
  private static final int FUNCTION_MASK = 0x1FFF;
  private static final int HEADER_BYTES = 20;
  private static final int EXTERNAL_TAG = 0x01;
  private static final int EXTERNAL_FORWARD = 0x02;

  private static final Field AGE =
      OSPF.source("RFC 5340, appendix A.4.2").floating("ospf.lsa.age", 16, DECIMAL, "Age");
  private static final Field NEVER_AGE =
      OSPF.floating("ospf.v3.lsa.do_not_age", 16, FLAG, "Do not age");
  private static final Parts TYPE =
      OSPF.parts("ospf.v3.lsa", 16, HEX, "Link state")
          .flag("ospf.v3.lsa.u", "Store if unknown")
          .part("ospf.v3.lsa.s12", 2, HEX, "Flooding scope")
          .part("ospf.v3.lsa.fc", 13, DECIMAL, "Function");
  private static final Parts ROUTER_FLAGS =
      OSPF.source("RFC 5340, appendix A.4.3")
          .parts("ospf.v3.router.lsa.flags", 8, HEX, "Router flags")
          .skip(4)
          .flag("ospf.v3.router.lsa.flags.w", "Wild-card multicast")
          .flag("ospf.v3.router.lsa.flags.v", "Virtual link")
          .flag("ospf.v3.router.lsa.flags.e", "AS boundary router")
          .flag("ospf.v3.router.lsa.flags.b", "Area border router");
  private static final Field INTERFACE_TYPE =
      OSPF.floating("ospf.v3.lsa.type", 8, DECIMAL, "Interface type");
  private static final Field INTERFACE =
      OSPF.floating("ospf.v3.lsa.interface_id", 32, DECIMAL, "Interface");
  private static final Field NEIGHBOR_INTERFACE =
      OSPF.floating("ospf.v3.lsa.neighbor_interface_id", 32, DECIMAL, "Neighbor's interface");
  private static final Field NEIGHBOR =
      OSPF.floating("ospf.v3.lsa.neighbor_router_id", 32, IPV4, "Neighbor");
  private static final Field ATTACHED =
      OSPF.floating("ospf.v3.lsa.attached_router", 32, IPV4, "Attached router");
  private static final Field DESTINATION =
      OSPF.source("RFC 5340, appendix A.4.6")
          .floating("ospf.v3.lsa.destination_router_id", 32, IPV4, "Destination router");
  private static final Field PREFIX_LENGTH =
      OSPF.source("RFC 5340, appendix A.4.1")
          .floating("ospf.prefix_length", 8, DECIMAL, "Prefix length");
  private static final Parts PREFIX_OPTIONS =
      OSPF.parts("ospf.v3.prefix.options", 8, HEX, "Prefix options")
          .skip(4)
          .flag("ospf.v3.prefix.options.p", "Propagate")
          .flag("ospf.v3.prefix.options.mc", "Multicast")
          .flag("ospf.v3.prefix.options.la", "Local address")
          .flag("ospf.v3.prefix.options.nu", "No unicast");
  private static final Field PREFIX =
      OSPF.floating("ospf.v3.address_prefix.ipv6", 128, IPV6, "Prefix");
  private static final Parts EXTERNAL_FLAGS =
      OSPF.source("RFC 5340, appendix A.4.7")
          .parts("ospf.v3.as.external.flags", 8, HEX, "External flags")
          .skip(5)
          .flag("ospf.v3.as.external.flags.e", "Type 2 metric")
          .flag("ospf.v3.as.external.flags.f", "Forwarding address is there")
          .flag("ospf.v3.as.external.flags.t", "Tag is there");
  private static final Field REFERENCED_TYPE =
      OSPF.floating("ospf.v3.lsa.referenced_ls_type", 16, HEX, "Referenced link state");
  private static final Field FORWARD =
      OSPF.floating("ospf.v3.lsa.forwarding_address.ipv6", 128, IPV6, "Forwarding address");
  private static final Field TAG =
      OSPF.floating("ospf.v3.lsa.external_route_tag", 32, DECIMAL, "External route tag");
  private static final Field REFERENCED_ID =
      OSPF.floating("ospf.v3.lsa.referenced_link_state_id", 32, IPV4, "Referenced identifier");
  private static final Field PRIORITY =
      OSPF.source("RFC 5340, appendix A.4.9")
          .floating("ospf.v3.lsa.router_priority", 8, DECIMAL, "Router priority");
  private static final Field LINK_LOCAL =
      OSPF.floating(
          "ospf.v3.lsa.link_local_interface_address.ipv6", 128, IPV6, "Link-local address");
  private static final Field PREFIXES =
      OSPF.floating("ospf.v3.lsa.num_prefixes", 32, DECIMAL, "Prefixes");
  private static final Field REFERENCED_ROUTER =
      OSPF.source("RFC 5340, appendix A.4.10")
          .floating("ospf.v3.lsa.referenced_advertising_router", 32, IPV4, "Referenced router");

  private OspfV3LinkStates() {}

  /** Declares the fields: OSPF's are complete only then. */
  static void declare() {}

  static void request(Dissection dissection) {
    dissection.add(RESERVED, 2);
    dissection.add(TYPE);
    dissection.add(OspfLinkStates.REQUESTED);
    dissection.add(OspfLinkStates.ADVERTISER);
  }

  /**
   * One at the cursor.
   *
   * @param hasContent whether it is more than its header
   */
  static void dissect(Dissection dissection, boolean hasContent) {
    int age = dissection.u16(0);
    dissection.value(AGE, age & 0x7FFF, 0, 2);
    dissection.value(NEVER_AGE, age >>> 15, 0, 2);
    dissection.skip(2);
    int type = (int) dissection.add(TYPE);
    dissection.add(OspfLinkStates.REQUESTED);
    dissection.add(OspfLinkStates.ADVERTISER);
    dissection.add(OspfLinkStates.NUMBER);
    dissection.add(OspfLinkStates.CHECKSUM);
    int length = (int) dissection.add(OspfLinkStates.LENGTH);
    if (!hasContent) {
      return;
    }
    int before = dissection.enter(length - HEADER_BYTES);
    content(dissection, type & FUNCTION_MASK);
    dissection.leave(before);
  }

  private static void content(Dissection dissection, int function) {
    switch (function) {
      case ROUTER -> router(dissection);
      case NETWORK -> {
        dissection.add(RESERVED, 1);
        dissection.add(OspfMessages.OPTIONS_3);
        while (dissection.left() > 0) {
          dissection.add(ATTACHED);
        }
      }
      case INTER_AREA_PREFIX -> {
        dissection.add(RESERVED, 1);
        dissection.add(OspfLinkStates.METRIC, 3);
        prefix(dissection);
      }
      case INTER_AREA_ROUTER -> {
        dissection.add(RESERVED, 1);
        dissection.add(OspfMessages.OPTIONS_3);
        dissection.add(RESERVED, 1);
        dissection.add(OspfLinkStates.METRIC, 3);
        dissection.add(DESTINATION);
      }
      case EXTERNAL, NSSA -> external(dissection);
      case LINK -> {
        dissection.add(PRIORITY);
        dissection.add(OspfMessages.OPTIONS_3);
        dissection.add(LINK_LOCAL);
        prefixes(dissection, dissection.add(PREFIXES), false);
      }
      case INTRA_AREA_PREFIX -> {
        long count = dissection.add(PREFIXES, 2);
        dissection.add(REFERENCED_TYPE);
        dissection.add(REFERENCED_ID);
        dissection.add(REFERENCED_ROUTER);
        prefixes(dissection, count, true);
      }
      default -> dissection.addLeft(OspfLinkStates.DATA);
    }
  }

  private static void router(Dissection dissection) {
    dissection.add(ROUTER_FLAGS);
    dissection.add(OspfMessages.OPTIONS_3);
    while (dissection.left() > 0) {
      dissection.add(INTERFACE_TYPE);
      dissection.add(RESERVED, 1);
      dissection.add(OspfLinkStates.METRIC, 2);
      dissection.add(INTERFACE);
      dissection.add(NEIGHBOR_INTERFACE);
      dissection.add(NEIGHBOR);
    }
  }

  private static void external(Dissection dissection) {
    int flags = (int) dissection.add(EXTERNAL_FLAGS);
    dissection.add(OspfLinkStates.METRIC, 3);
    int length = (int) dissection.add(PREFIX_LENGTH);
    dissection.add(PREFIX_OPTIONS);
    int referenced = (int) dissection.add(REFERENCED_TYPE);
    address(dissection, length);
    if ((flags & EXTERNAL_FORWARD) != 0) {
      dissection.add(FORWARD);
    }
    if ((flags & EXTERNAL_TAG) != 0) {
      dissection.add(TAG);
    }
    if (referenced != 0) {
      dissection.add(REFERENCED_ID);
    }
  }

  private static void prefixes(Dissection dissection, long count, boolean hasMetric) {
    for (long i = 0; i < count && dissection.expectsMore(); i++) {
      if (hasMetric) {
        int length = (int) dissection.add(PREFIX_LENGTH);
        dissection.add(PREFIX_OPTIONS);
        dissection.add(OspfLinkStates.METRIC, 2);
        address(dissection, length);
      } else {
        prefix(dissection);
      }
    }
  }

  private static void prefix(Dissection dissection) {
    int length = (int) dissection.add(PREFIX_LENGTH);
    dissection.add(PREFIX_OPTIONS);
    dissection.add(RESERVED, 2);
    address(dissection, length);
  }

  /** RFC 5340, appendix A.4.1: in words of 32 bits. */
  private static void address(Dissection dissection, int length) {
    int bytes = 4 * ((length + 31) / 32);
    if (bytes > 0) {
      dissection.add(PREFIX, Math.min(bytes, 16));
    }
  }
}
