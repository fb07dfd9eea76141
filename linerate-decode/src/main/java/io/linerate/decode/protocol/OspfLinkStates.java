package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.protocol.OspfProtocol.OSPF;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;

/** Link state advertisements of OSPF, version 2: a header, and what its type says. */
final class OspfLinkStates {
  private static final int ROUTER = 1;
  private static final int NETWORK = 2;
  private static final int SUMMARY = 3;
  private static final int SUMMARY_BOUNDARY = 4;
  private static final int EXTERNAL = 5;
  private static final int NSSA = 7;
  private static final int OPAQUE_LINK = 9;
  private static final int OPAQUE_AS = 11;
  private static final int HEADER_BYTES = 20;
  private static final int OPAQUE_TE = 1;

  private static final Field AGE =
      OSPF.source("RFC 2328, appendix A.4.1").floating("ospf.lsa.age", 16, DECIMAL, "Age");
  private static final Field NEVER_AGE =
      OSPF.floating("ospf.lsa.donotage", 16, DECIMAL, "Do not age");
  private static final Field TYPE =
      OSPF.floating(
          "ospf.lsa",
          8,
          DECIMAL,
          "Link state",
          ValueNames.from0(
              "Reserved",
              "Router",
              "Network",
              "Summary",
              "Summary of a boundary router",
              "External",
              "Group membership",
              "NSSA",
              "External attributes",
              "Opaque of the link",
              "Opaque of the area",
              "Opaque of the system"));
  private static final Field ID = OSPF.floating("ospf.lsa.id", 32, IPV4, "Link state identifier");
  private static final Field OPAQUE_TYPE =
      OSPF.source("RFC 5250, section 3")
          .floating("ospf.lsid_opaque_type", 8, DECIMAL, "Opaque type");
  private static final Field TE_RESERVED =
      OSPF.floating("ospf.lsid_te_lsa.reserved", 8, DECIMAL, "Reserved");
  private static final Field TE_INSTANCE =
      OSPF.floating("ospf.lsid_te_lsa.instance", 16, DECIMAL, "Instance");
  private static final Field OPAQUE_ID =
      OSPF.floating("ospf.lsid.opaque_id", 24, DECIMAL, "Opaque identifier");
  static final Field ADVERTISER =
      OSPF.source("RFC 2328, appendix A.4.1")
          .floating("ospf.advrouter", 32, IPV4, "Advertising router");
  static final Field NUMBER = OSPF.floating("ospf.lsa.seqnum", 32, HEX, "Sequence number");
  static final Field CHECKSUM = OSPF.floating("ospf.lsa.chksum", 16, HEX, "Checksum");
  static final Field LENGTH = OSPF.floating("ospf.lsa.length", 16, DECIMAL, "Length");
  static final Field REQUESTED =
      OSPF.source("RFC 2328, appendix A.3.4")
          .floating("ospf.link_state_id", 32, IPV4, "Link state requested");
  private static final Parts ROUTER_FLAGS =
      OSPF.source("RFC 2328, appendix A.4.2")
          .parts("ospf.v2.router.lsa.flags", 8, HEX, "Router flags")
          .flag("ospf.v2.router.lsa.flags.h", "Host")
          .skip(2)
          .flag("ospf.v2.router.lsa.flags.n", "NSSA translation")
          .flag("ospf.v2.router.lsa.flags.w", "Wild-card multicast")
          .flag("ospf.v2.router.lsa.flags.v", "Virtual link")
          .flag("ospf.v2.router.lsa.flags.e", "AS boundary router")
          .flag("ospf.v2.router.lsa.flags.b", "Area border router");
  private static final Field LINKS =
      OSPF.floating("ospf.lsa.number_of_links", 16, DECIMAL, "Links");
  static final Field LINK = OSPF.floating("ospf.lsa.router.linkid", 32, IPV4, "Link");
  static final Field LINK_DATA = OSPF.floating("ospf.lsa.router.linkdata", 32, IPV4, "Link data");
  static final Field LINK_TYPE =
      OSPF.floating(
          "ospf.lsa.router.linktype",
          8,
          DECIMAL,
          "Link type",
          ValueNames.from0("Reserved", "Point-to-point", "Transit network", "Stub", "Virtual"));
  private static final Field METRICS =
      OSPF.floating("ospf.lsa.router.nummetrics", 8, DECIMAL, "Further metrics");
  private static final Field METRIC_0 =
      OSPF.floating("ospf.lsa.router.metric0", 16, DECIMAL, "Metric");
  private static final Field LINK_TOS =
      OSPF.floating("ospf.lsa.router.tos", 8, DECIMAL, "Type of service of the link");
  private static final Field LINK_METRIC =
      OSPF.floating("ospf.lsa.router.metric", 16, DECIMAL, "Metric of the type of service");
  private static final Field TOS = OSPF.floating("ospf.lsa.tos", 8, DECIMAL, "Type of service");
  static final Field METRIC = OSPF.floating("ospf.metric", 32, DECIMAL, "Metric");
  private static final Field NETWORK_MASK =
      OSPF.source("RFC 2328, appendix A.4.3")
          .floating("ospf.lsa.network.netmask", 32, IPV4, "Network mask");
  private static final Field ATTACHED =
      OSPF.floating("ospf.lsa.network.attchrtr", 32, IPV4, "Attached router");
  private static final Field SUMMARY_MASK =
      OSPF.source("RFC 2328, appendix A.4.4")
          .floating("ospf.lsa.asbr.netmask", 32, IPV4, "Network mask");
  private static final Field EXTERNAL_MASK =
      OSPF.source("RFC 2328, appendix A.4.5")
          .floating("ospf.lsa.asext.netmask", 32, IPV4, "Network mask");
  private static final Field EXTERNAL_TYPE =
      OSPF.floating("ospf.lsa.asext.type", 8, FLAG, "Type 2 metric");
  private static final Field FORWARD =
      OSPF.floating("ospf.lsa.asext.fwdaddr", 32, IPV4, "Forwarding address");
  private static final Field TAG =
      OSPF.floating("ospf.lsa.asext.extrttag", 32, DECIMAL, "External route tag");
  static final Field DATA = OSPF.floating("ospf.lsa.data", 0, BYTES, "Link state data");

  private OspfLinkStates() {}

  /** Declares the fields: OSPF's are complete only then. */
  static void declare() {
    OspfOpaque.declare();
  }

  static void request(Dissection dissection) {
    dissection.add(TYPE, 4);
    dissection.add(REQUESTED);
    dissection.add(ADVERTISER);
  }

  /**
   * One at the cursor.
   *
   * @param hasContent whether it is more than its header
   */
  static void dissect(Dissection dissection, boolean hasContent) {
    age(dissection);
    OspfMessages.options2(dissection, dissection.u8(1) == NSSA);
    int type = (int) dissection.add(TYPE);
    int opaque = identifier(dissection, type);
    dissection.add(ADVERTISER);
    dissection.add(NUMBER);
    dissection.add(CHECKSUM);
    int length = (int) dissection.add(LENGTH);
    if (!hasContent) {
      return;
    }
    int before = dissection.enter(length - HEADER_BYTES);
    content(dissection, type, opaque);
    dissection.leave(before);
  }

  private static void age(Dissection dissection) {
    int age = dissection.u16(0);
    dissection.value(AGE, age & 0x7FFF, 0, 2);
    dissection.value(NEVER_AGE, age >>> 15, 0, 2);
    dissection.skip(2);
  }

  /** The opaque type, or 0 if there is none. */
  private static int identifier(Dissection dissection, int type) {
    if (type < OPAQUE_LINK || type > OPAQUE_AS) {
      dissection.add(ID);
      return 0;
    }
    int opaque = (int) dissection.add(OPAQUE_TYPE);
    if (opaque == OPAQUE_TE) {
      dissection.add(TE_RESERVED);
      dissection.add(TE_INSTANCE);
    } else {
      dissection.add(OPAQUE_ID);
    }
    return opaque;
  }

  private static void content(Dissection dissection, int type, int opaque) {
    switch (type) {
      case ROUTER -> router(dissection);
      case NETWORK -> {
        dissection.add(NETWORK_MASK);
        while (dissection.left() > 0) {
          dissection.add(ATTACHED);
        }
      }
      case SUMMARY, SUMMARY_BOUNDARY -> {
        dissection.add(SUMMARY_MASK);
        while (dissection.left() > 0) {
          dissection.add(TOS);
          dissection.add(METRIC, 3);
        }
      }
      case EXTERNAL, NSSA -> external(dissection);
      default -> {
        if (opaque > 0) {
          OspfOpaque.dissect(dissection, opaque);
        }
        dissection.addLeft(DATA);
      }
    }
  }

  private static void router(Dissection dissection) {
    dissection.add(ROUTER_FLAGS);
    dissection.skip(1);
    int links = (int) dissection.add(LINKS);
    for (int i = 0; i < links && dissection.expectsMore(); i++) {
      dissection.add(LINK);
      dissection.add(LINK_DATA);
      dissection.add(LINK_TYPE);
      int metrics = (int) dissection.add(METRICS);
      dissection.add(METRIC_0);
      for (int j = 0; j < metrics && dissection.expectsMore(); j++) {
        dissection.add(LINK_TOS);
        dissection.skip(1);
        dissection.add(LINK_METRIC);
      }
    }
  }

  private static void external(Dissection dissection) {
    dissection.add(EXTERNAL_MASK);
    while (dissection.left() > 0) {
      int type = dissection.u8(0);
      dissection.value(EXTERNAL_TYPE, type >>> 7, 0, 1);
      dissection.value(TOS, type & 0x7F, 0, 1);
      dissection.skip(1);
      dissection.add(METRIC, 3);
      dissection.add(FORWARD);
      dissection.add(TAG);
    }
  }
}
