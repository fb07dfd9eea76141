package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.protocol.OspfProtocol.OSPF;
import static io.linerate.decode.protocol.OspfProtocol.RESERVED;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;

/**
 * Opaque link states of router information, and those that extend prefixes and links for segment
 * routing.
 */
final class OspfSegments {
  static final int ROUTER_INFORMATION = 4;
  static final int EXTENDED_PREFIX = 7;
  static final int EXTENDED_LINK = 8;

  private static final int CAPABILITIES_TYPE = 1;
  private static final int HOST_NAME_TYPE = 7;
  private static final int ALGORITHMS_TYPE = 8;
  private static final int RANGE_TYPE = 9;
  private static final int LOCAL_BLOCK_TYPE = 14;
  private static final int PREFIX_SEGMENT_TYPE = 2;
  private static final int ADJACENCY_TYPE = 2;
  private static final int LAN_ADJACENCY_TYPE = 3;
  private static final int LABEL_BYTES = 3;

  private static final Field TYPE =
      OSPF.source("RFC 7770, section 2.3").floating("ospf.tlv_type.opaque", 16, DECIMAL, "Item");
  private static final Parts CAPABILITIES =
      OSPF.parts("ospf.ri.options", 8, HEX, "Router capabilities")
          .flag("ospf.ri.options.grc", "Graceful restart")
          .flag("ospf.ri.options.grh", "Graceful restart helper")
          .flag("ospf.ri.options.srs", "Stub router support")
          .flag("ospf.ri.options.tes", "Traffic engineering")
          .flag("ospf.ri.options.p2plan", "Point-to-point over LAN")
          .flag("ospf.ri.options.ete", "Experimental traffic engineering")
          .skip(1)
          .flag("ospf.ri.options.host", "Host router");
  private static final Field HOST_NAME =
      OSPF.source("RFC 5642, section 3").floating("ospf.dynhostname", 0, TEXT, "Host name");
  private static final Field ALGORITHM =
      OSPF.source("RFC 8665, section 3.1").floating("ospf.lsa_sa", 8, DECIMAL, "Algorithm");
  private static final Field RANGE =
      OSPF.floating("ospf.tlv.range_size", 24, DECIMAL, "Range size");
  private static final Field LABEL_TYPE =
      OSPF.floating("ospf.tlv.sidlabel_range.type", 16, DECIMAL, "Item of the range");
  private static final Field SEGMENT =
      OSPF.floating("ospf.tlv.sid_label", 32, DECIMAL, "Segment identifier or label");
  private static final Field PREFIX_TYPE =
      OSPF.source("RFC 7684, section 2.1")
          .floating("ospf.tlv.extpfx.tlv_type", 16, DECIMAL, "Prefix item");
  private static final Field PREFIX_SUBTYPE =
      OSPF.floating("ospf.tlv.extpfx.subtlv_type", 16, DECIMAL, "Item of the prefix");
  private static final Field ROUTE_TYPE =
      OSPF.floating("ospf.tlv.extpfx.rotuetype", 8, DECIMAL, "Route type");
  private static final Field PREFIX_LENGTH =
      OSPF.floating("ospf.prefix_length", 8, DECIMAL, "Prefix length");
  private static final Field FAMILY =
      OSPF.floating("ospf.tlv.extpfx.af", 8, DECIMAL, "Address family");
  private static final Parts PREFIX_FLAGS =
      OSPF.parts("ospf.tlv.extpfx.flags", 8, HEX, "Prefix flags")
          .flag("ospf.tlv.extpfx.flags.a", "Attached")
          .flag("ospf.tlv.extpfx.flags.n", "Node");
  private static final Field PREFIX =
      OSPF.floating("ospf.v3.address_prefix.ipv4", 32, IPV4, "Prefix");
  private static final Parts SEGMENT_FLAGS =
      OSPF.source("RFC 8665, section 5")
          .parts("ospf.tlv.pfxsid.flags", 8, HEX, "Segment flags")
          .skip(1)
          .flag("ospf.tlv.pfxsid.flags.np", "No penultimate hop popping")
          .flag("ospf.tlv.pfxsid.flags.m", "Mapping server")
          .flag("ospf.tlv.pfxsid.flags.e", "Explicit null")
          .flag("ospf.tlv.pfxsid.flags.v", "Value")
          .flag("ospf.tlv.pfxsid.flags.l", "Local");
  private static final Field TOPOLOGY =
      OSPF.floating("ospf.tlv.extlink.mt_id", 8, DECIMAL, "Topology");
  private static final Field LINK_TYPE =
      OSPF.source("RFC 7684, section 3.1")
          .floating("ospf.tlv.extlink.tlv_type", 16, DECIMAL, "Link item");
  private static final Field LINK_SUBTYPE =
      OSPF.floating("ospf.tlv.extlink.subtlv_type", 16, DECIMAL, "Item of the link");
  private static final Parts ADJACENCY_FLAGS =
      OSPF.source("RFC 8665, section 6.1")
          .parts("ospf.tlv.adjsid.flags", 8, HEX, "Adjacency flags")
          .flag("ospf.tlv.adjsid.flags.b", "Backup")
          .flag("ospf.tlv.adjsid.flags.v", "Value")
          .flag("ospf.tlv.adjsid.flags.l", "Local")
          .flag("ospf.tlv.adjsid.flags.g", "Group")
          .flag("ospf.tlv.adjsid.flags.p", "Persistent");
  private static final Field WEIGHT =
      OSPF.floating("ospf.tlv.extlink.weight", 8, DECIMAL, "Weight");
  private static final Field NEIGHBOR = OSPF.floating("ospf.tlv.extlink.nbr", 32, IPV4, "Neighbor");

  private OspfSegments() {}

  /** Declares the fields: OSPF's are complete only then. */
  static void declare() {}

  static void dissect(Dissection dissection, int opaque) {
    while (dissection.left() > 0) {
      int type =
          (int)
              dissection.add(
                  switch (opaque) {
                    case EXTENDED_PREFIX -> PREFIX_TYPE;
                    case EXTENDED_LINK -> LINK_TYPE;
                    default -> TYPE;
                  });
      int before = enter(dissection);
      switch (opaque) {
        case EXTENDED_PREFIX -> prefix(dissection, type);
        case EXTENDED_LINK -> link(dissection, type);
        default -> information(dissection, type);
      }
      leave(dissection, before);
    }
  }

  /** Behind the type of an item: its length, and into its value. */
  private static int enter(Dissection dissection) {
    int length = (int) dissection.add(OspfOpaque.LENGTH);
    return dissection.enter(length);
  }

  private static void leave(Dissection dissection, int before) {
    dissection.leave(before);
    int padding = -dissection.offset() & 3;
    dissection.skip(Math.min(padding, dissection.left()));
  }

  private static void information(Dissection dissection, int type) {
    switch (type) {
      case CAPABILITIES_TYPE -> {
        dissection.add(CAPABILITIES);
        dissection.skip(Math.min(3, dissection.left()));
      }
      case HOST_NAME_TYPE -> dissection.addLeft(HOST_NAME);
      case ALGORITHMS_TYPE -> {
        while (dissection.left() > 0) {
          dissection.add(ALGORITHM);
        }
      }
      case RANGE_TYPE, LOCAL_BLOCK_TYPE -> {
        dissection.add(RANGE);
        dissection.add(RESERVED, 1);
        while (dissection.left() > 0) {
          dissection.add(LABEL_TYPE);
          int before = enter(dissection);
          segment(dissection);
          leave(dissection, before);
        }
      }
      default -> dissection.addLeft(OspfOpaque.VALUE);
    }
  }

  private static void segment(Dissection dissection) {
    int bytes = dissection.left() == LABEL_BYTES ? LABEL_BYTES : 4;
    dissection.add(SEGMENT, bytes);
  }

  private static void prefix(Dissection dissection, int type) {
    if (type != 1) {
      dissection.addLeft(OspfOpaque.VALUE);
      return;
    }
    dissection.add(ROUTE_TYPE);
    dissection.add(PREFIX_LENGTH);
    dissection.add(FAMILY);
    dissection.add(PREFIX_FLAGS);
    dissection.add(PREFIX);
    while (dissection.left() > 0) {
      int subtype = (int) dissection.add(PREFIX_SUBTYPE);
      int before = enter(dissection);
      if (subtype == PREFIX_SEGMENT_TYPE) {
        dissection.add(SEGMENT_FLAGS);
        dissection.add(RESERVED, 1);
        dissection.add(TOPOLOGY);
        dissection.add(ALGORITHM);
        segment(dissection);
      } else {
        dissection.addLeft(OspfOpaque.VALUE);
      }
      leave(dissection, before);
    }
  }

  private static void link(Dissection dissection, int type) {
    if (type != 1) {
      dissection.addLeft(OspfOpaque.VALUE);
      return;
    }
    dissection.add(OspfLinkStates.LINK_TYPE);
    dissection.add(RESERVED, 3);
    dissection.add(OspfLinkStates.LINK);
    dissection.add(OspfLinkStates.LINK_DATA);
    while (dissection.left() > 0) {
      int subtype = (int) dissection.add(LINK_SUBTYPE);
      int before = enter(dissection);
      if (subtype == ADJACENCY_TYPE || subtype == LAN_ADJACENCY_TYPE) {
        dissection.add(ADJACENCY_FLAGS);
        dissection.add(RESERVED, 1);
        dissection.add(TOPOLOGY);
        dissection.add(WEIGHT);
        if (subtype == LAN_ADJACENCY_TYPE) {
          dissection.add(NEIGHBOR);
        }
        segment(dissection);
      } else {
        dissection.addLeft(OspfOpaque.VALUE);
      }
      leave(dissection, before);
    }
  }
}
