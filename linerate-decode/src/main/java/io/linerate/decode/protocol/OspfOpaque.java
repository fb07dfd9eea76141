package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLOAT;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.protocol.OspfProtocol.OSPF;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;

/** Opaque link states: by opaque type, items of type, length and value, to multiples of 4 bytes. */
final class OspfOpaque {
  private static final int TRAFFIC_ENGINEERING = 1;
  private static final int GRACE = 3;
  private static final int ROUTER_ADDRESS = 1;
  private static final int LINK = 2;

  private static final Field TYPE =
      OSPF.source("RFC 3630, section 2.3").floating("ospf.tlv_type", 16, DECIMAL, "Item");
  static final Field LENGTH = OSPF.floating("ospf.tlv_length", 16, DECIMAL, "Item length");
  static final Field VALUE = OSPF.floating("ospf.tlv_value", 0, BYTES, "Item value");
  private static final Field ROUTER =
      OSPF.floating("ospf.mpls.routerid", 32, IPV4, "Router address");
  private static final Field LINK_TYPE =
      OSPF.source("RFC 3630, section 2.5").floating("ospf.mpls.linktype", 8, DECIMAL, "Link type");
  private static final Field LINK_ID = OSPF.floating("ospf.mpls.linkid", 32, IPV4, "Link");
  private static final Field LOCAL =
      OSPF.floating("ospf.mpls.local_addr", 32, IPV4, "Local address");
  private static final Field REMOTE =
      OSPF.floating("ospf.mpls.remote_addr", 32, IPV4, "Remote address");
  private static final Field METRIC =
      OSPF.floating("ospf.mpls.te_metric", 32, DECIMAL, "Traffic engineering metric");
  private static final Field BANDWIDTH =
      OSPF.floating("ospf.mpls.link_max_bw", 32, FLOAT, "Bandwidth in bytes per second");
  private static final Field UNRESERVED =
      OSPF.floating("ospf.mpls.pri", 32, FLOAT, "Unreserved bandwidth in bytes per second");
  private static final Field COLOR =
      OSPF.floating("ospf.mpls.linkcolor", 32, HEX, "Administrative groups");
  private static final Field LOCAL_ID =
      OSPF.source("RFC 4203, section 1.1")
          .floating("ospf.mpls.local_id", 32, DECIMAL, "Local interface");
  private static final Field REMOTE_ID =
      OSPF.floating("ospf.mpls.remote_id", 32, DECIMAL, "Remote interface");
  private static final Field RISK_GROUP =
      OSPF.floating("ospf.mpls.shared_risk_link_group", 32, DECIMAL, "Shared risk group");
  private static final Field GRACE_PERIOD =
      OSPF.source("RFC 3623, appendix B")
          .floating("ospf.v2.grace.period", 32, DECIMAL, "Grace period in seconds");
  private static final Field GRACE_REASON =
      OSPF.floating("ospf.v2.grace.reason", 8, DECIMAL, "Reason of the restart");
  private static final Field GRACE_ADDRESS =
      OSPF.floating("ospf.v2.grace.ip", 32, IPV4, "Restarting address");

  private OspfOpaque() {}

  /** Declares the fields: OSPF's are complete only then. */
  static void declare() {
    OspfSegments.declare();
  }

  static void dissect(Dissection dissection, int opaque) {
    switch (opaque) {
      case OspfSegments.ROUTER_INFORMATION,
          OspfSegments.EXTENDED_PREFIX,
          OspfSegments.EXTENDED_LINK ->
          OspfSegments.dissect(dissection, opaque);
      default -> items(dissection, opaque);
    }
  }

  private static void items(Dissection dissection, int opaque) {
    while (dissection.left() > 0) {
      int type = (int) dissection.add(TYPE);
      int length = (int) dissection.add(LENGTH);
      int before = dissection.enter(length);
      if (opaque == TRAFFIC_ENGINEERING && type == LINK) {
        links(dissection);
      } else {
        item(dissection, opaque, type);
      }
      dissection.leave(before);
      dissection.skip(Math.min(-length & 3, dissection.left()));
    }
  }

  private static void item(Dissection dissection, int opaque, int type) {
    if (opaque == TRAFFIC_ENGINEERING && type == ROUTER_ADDRESS) {
      dissection.add(ROUTER);
    } else if (opaque == GRACE) {
      switch (type) {
        case 1 -> dissection.add(GRACE_PERIOD);
        case 2 -> dissection.add(GRACE_REASON);
        case 3 -> dissection.add(GRACE_ADDRESS);
        default -> dissection.addLeft(VALUE);
      }
    } else {
      dissection.addLeft(VALUE);
    }
  }

  private static void links(Dissection dissection) {
    while (dissection.left() > 0) {
      int type = (int) dissection.add(TYPE);
      int length = (int) dissection.add(LENGTH);
      int before = dissection.enter(length);
      link(dissection, type);
      dissection.leave(before);
      dissection.skip(Math.min(-length & 3, dissection.left()));
    }
  }

  private static void link(Dissection dissection, int type) {
    switch (type) {
      case 1 -> dissection.add(LINK_TYPE);
      case 2 -> dissection.add(LINK_ID);
      case 3 -> all(dissection, LOCAL);
      case 4 -> all(dissection, REMOTE);
      case 5 -> dissection.add(METRIC);
      case 6, 7 -> dissection.add(BANDWIDTH);
      case 8 -> all(dissection, UNRESERVED);
      case 9 -> dissection.add(COLOR);
      case 11 -> {
        dissection.add(LOCAL_ID);
        dissection.add(REMOTE_ID);
      }
      case 16 -> all(dissection, RISK_GROUP);
      default -> dissection.addLeft(VALUE);
    }
  }

  private static void all(Dissection dissection, Field field) {
    while (dissection.left() > 0) {
      dissection.add(field);
    }
  }
}
