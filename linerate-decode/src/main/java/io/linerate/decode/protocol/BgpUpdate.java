package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.protocol.BgpProtocol.BGP;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;
import java.util.Map;

/** The update message of BGP: routes withdrawn, attributes of a path, and routes that have it. */
final class BgpUpdate {
  private static final int ORIGIN_TYPE = 1;
  private static final int AS_PATH = 2;
  private static final int NEXT_HOP_TYPE = 3;
  private static final int DISCRIMINATOR_TYPE = 4;
  private static final int PREFERENCE_TYPE = 5;
  private static final int AGGREGATOR_TYPE = 7;
  private static final int COMMUNITIES = 8;
  private static final int ORIGINATOR_TYPE = 9;
  private static final int CLUSTER_LIST = 10;
  private static final int REACHABLE = 14;
  private static final int UNREACHABLE = 15;
  private static final int EXTENDED_COMMUNITIES = 16;
  private static final int AS4_PATH = 17;
  private static final int AS4_AGGREGATOR = 18;
  private static final int TUNNEL = 22;
  private static final int METRIC_TYPE = 26;
  private static final int LARGE_COMMUNITIES = 32;
  private static final int PREFIX_SEGMENT = 40;
  private static final int ATTRIBUTE_SET = 128;
  private static final int EXTENDED_LENGTH = 0x10;

  /** RFC 1997, section 2: those that begin so have names. */
  private static final int WELL_KNOWN = 0xFFFF;

  private static final Field WITHDRAWN_LENGTH =
      BGP.source("RFC 4271, section 4.3")
          .floating(
              "bgp.update.withdrawn_routes.length", 16, DECIMAL, "Length of what is withdrawn");
  private static final Field ATTRIBUTES_LENGTH =
      BGP.floating("bgp.update.path_attributes.length", 16, DECIMAL, "Length of the attributes");
  private static final Parts FLAGS =
      BGP.parts("bgp.update.path_attribute.flags", 8, HEX, "Attribute flags")
          .flag("bgp.update.path_attribute.flags.optional", "Optional")
          .flag("bgp.update.path_attribute.flags.transitive", "Transitive")
          .flag("bgp.update.path_attribute.flags.partial", "Partial")
          .flag("bgp.update.path_attribute.flags.extended_length", "Extended length")
          .part("bgp.update.path_attribute.flags.unused", 4, HEX, "Unused");
  private static final Field TYPE =
      BGP.floating(
          "bgp.update.path_attribute.type_code",
          8,
          DECIMAL,
          "Attribute",
          ValueNames.of(
              Map.ofEntries(
                  Map.entry(ORIGIN_TYPE, "Origin"),
                  Map.entry(AS_PATH, "Path of systems"),
                  Map.entry(NEXT_HOP_TYPE, "Next hop"),
                  Map.entry(DISCRIMINATOR_TYPE, "Multi-exit discriminator"),
                  Map.entry(PREFERENCE_TYPE, "Local preference"),
                  Map.entry(6, "Atomic aggregate"),
                  Map.entry(AGGREGATOR_TYPE, "Aggregator"),
                  Map.entry(COMMUNITIES, "Communities"),
                  Map.entry(ORIGINATOR_TYPE, "Originator"),
                  Map.entry(CLUSTER_LIST, "Cluster list"),
                  Map.entry(REACHABLE, "Reachable"),
                  Map.entry(UNREACHABLE, "Unreachable"),
                  Map.entry(EXTENDED_COMMUNITIES, "Extended communities"),
                  Map.entry(AS4_PATH, "Path of four-byte systems"),
                  Map.entry(AS4_AGGREGATOR, "Four-byte aggregator"),
                  Map.entry(TUNNEL, "PMSI tunnel"),
                  Map.entry(METRIC_TYPE, "Accumulated metric"),
                  Map.entry(LARGE_COMMUNITIES, "Large communities"),
                  Map.entry(PREFIX_SEGMENT, "Prefix segment"))));
  private static final Field LENGTH =
      BGP.floating("bgp.update.path_attribute.length", 16, DECIMAL, "Attribute length");
  private static final Field DATA =
      BGP.floating("bgp.update.path_attribute.data", 0, BYTES, "Attribute value");
  private static final Field ORIGIN =
      BGP.source("RFC 4271, section 5.1")
          .floating(
              "bgp.update.path_attribute.origin",
              8,
              DECIMAL,
              "Origin",
              ValueNames.from0("IGP", "EGP", "Incomplete"));
  private static final Field SEGMENT_TYPE =
      BGP.floating(
          "bgp.update.path_attribute.as_path_segment.type",
          8,
          DECIMAL,
          "Segment",
          ValueNames.from0(
              "Reserved", "Set", "Sequence", "Confederation sequence", "Confederation set"));
  private static final Field SEGMENT_LENGTH =
      BGP.floating(
          "bgp.update.path_attribute.as_path_segment.length", 8, DECIMAL, "Systems of the segment");
  private static final Field SYSTEM_2 =
      BGP.floating("bgp.update.path_attribute.as_path_segment.as2", 16, DECIMAL, "System");
  private static final Field SYSTEM_4 =
      BGP.floating("bgp.update.path_attribute.as_path_segment.as4", 32, DECIMAL, "System");
  private static final Field NEXT_HOP =
      BGP.floating("bgp.update.path_attribute.next_hop", 32, IPV4, "Next hop");
  private static final Field DISCRIMINATOR =
      BGP.floating(
          "bgp.update.path_attribute.multi_exit_disc", 32, DECIMAL, "Multi-exit discriminator");
  private static final Field PREFERENCE =
      BGP.floating("bgp.update.path_attribute.local_pref", 32, DECIMAL, "Local preference");
  private static final Field AGGREGATOR =
      BGP.floating("bgp.update.path_attribute.aggregator_as", 32, DECIMAL, "Aggregating system");
  private static final Field AGGREGATOR_ADDRESS =
      BGP.floating("bgp.update.path_attribute.aggregator_origin", 32, IPV4, "Aggregator");
  private static final Field COMMUNITY_KNOWN =
      BGP.source("RFC 1997, section 2")
          .floating(
              "bgp.update.path_attribute.community_wellknown", 32, HEX, "Well-known community");
  private static final Field COMMUNITY_SYSTEM =
      BGP.floating("bgp.update.path_attribute.community_as", 16, DECIMAL, "Community's system");
  private static final Field COMMUNITY_VALUE =
      BGP.floating("bgp.update.path_attribute.community_value", 16, DECIMAL, "Community");
  private static final Field ORIGINATOR =
      BGP.source("RFC 4456, section 8")
          .floating("bgp.update.path_attribute.originator_id", 32, IPV4, "Originator");
  private static final Field CLUSTER =
      BGP.floating("bgp.path_attribute.cluster_id", 32, IPV4, "Cluster");
  private static final Field METRIC_KIND =
      BGP.source("RFC 7311, section 3")
          .floating("bgp.update.attribute.aigp.type", 8, DECIMAL, "Metric kind");
  private static final Field METRIC_LENGTH =
      BGP.floating("bgp.update.attribute.aigp.length", 16, DECIMAL, "Metric length");
  private static final Field METRIC =
      BGP.floating("bgp.update.attribute.aigp.accu_igp_metric", 64, DECIMAL, "Accumulated metric");
  private static final Field TUNNEL_FLAGS =
      BGP.source("RFC 6514, section 5")
          .floating("bgp.update.path_attribute.pmsi.tunnel.flags", 8, DECIMAL, "Tunnel flags");
  private static final Field TUNNEL_TYPE =
      BGP.floating("bgp.update.path_attribute.pmsi.tunnel.type", 8, DECIMAL, "Tunnel");
  private static final Parts TUNNEL_LABEL =
      BGP.parts(24)
          .part("bgp.update.path_attribute.mpls_label_value_20bits", 20, DECIMAL, "Tunnel label");
  private static final Field TUNNEL_END =
      BGP.floating("bgp.update.path_attribute.pmsi.ingress_rep_ip", 32, IPV4, "Tunnel end");
  private static final Field TUNNEL_DATA =
      BGP.floating("bgp.update.path_attribute.pmsi.tunnel.data", 0, BYTES, "Tunnel identifier");
  private static final Field LARGE_SYSTEM =
      BGP.source("RFC 8092, section 3")
          .floating("bgp.large_communities.ga", 32, DECIMAL, "Large community's system");
  private static final Field LARGE_1 =
      BGP.floating("bgp.large_communities.ldp1", 32, DECIMAL, "Large community 1");
  private static final Field LARGE_2 =
      BGP.floating("bgp.large_communities.ldp2", 32, DECIMAL, "Large community 2");
  private static final Field SEGMENT_KIND =
      BGP.source("RFC 8669, section 3").floating("bgp.prefix_sid.type", 8, DECIMAL, "Segment kind");
  private static final Field SEGMENT_BYTES =
      BGP.floating("bgp.prefix_sid.length", 16, DECIMAL, "Segment kind's length");
  private static final Field SEGMENT_RESERVED =
      BGP.floating("bgp.prefix_sid.reserved", 8, BYTES, "Reserved");
  private static final Field INDEX_FLAGS =
      BGP.floating("bgp.prefix_sid.label_index.flags", 16, HEX, "Label index flags");
  private static final Field INDEX =
      BGP.floating("bgp.prefix_sid.label_index.value", 32, DECIMAL, "Label index");
  private static final Field SEGMENT_DATA =
      BGP.floating("bgp.prefix_sid.value", 0, BYTES, "Segment kind's value");

  private static final Field SET_SYSTEM =
      BGP.source("RFC 6368, section 5")
          .floating(
              "bgp.update.path_attribute.attr_set.origin_as", 32, DECIMAL, "Set's origin system");
  private static final int INGRESS_REPLICATION = 6;
  private static final int LABEL_INDEX = 1;

  private BgpUpdate() {}

  /** Declares the fields: BGP's are complete only then. */
  static void declare() {
    BgpCommunities.declare();
    BgpPrefixes.declare();
  }

  static void dissect(Dissection dissection) {
    int withdrawn = (int) dissection.add(WITHDRAWN_LENGTH);
    int before = dissection.enter(withdrawn);
    BgpPrefixes.withdrawn(dissection);
    dissection.leave(before);
    int length = (int) dissection.add(ATTRIBUTES_LENGTH);
    before = dissection.enter(length);
    attributes(dissection);
    dissection.leave(before);
    BgpPrefixes.reachable(dissection);
  }

  private static void attributes(Dissection dissection) {
    attributes(dissection, true);
  }

  private static void attributes(Dissection dissection, boolean canNest) {
    while (dissection.left() > 0) {
      int flags = (int) dissection.add(FLAGS);
      int type = (int) dissection.add(TYPE);
      int length = (int) dissection.add(LENGTH, (flags & EXTENDED_LENGTH) != 0 ? 2 : 1);
      int before = dissection.enter(length);
      if (type == ATTRIBUTE_SET && canNest) {
        dissection.add(SET_SYSTEM);
        attributes(dissection, false);
      } else {
        attribute(dissection, type);
      }
      dissection.leave(before);
    }
  }

  private static void attribute(Dissection dissection, int type) {
    switch (type) {
      case ORIGIN_TYPE -> dissection.add(ORIGIN);
      case AS_PATH -> path(dissection, numberBytes(dissection));
      case AS4_PATH -> path(dissection, 4);
      case NEXT_HOP_TYPE -> dissection.add(NEXT_HOP);
      case DISCRIMINATOR_TYPE -> dissection.add(DISCRIMINATOR);
      case PREFERENCE_TYPE -> dissection.add(PREFERENCE);
      case AGGREGATOR_TYPE, AS4_AGGREGATOR -> {
        dissection.add(AGGREGATOR, dissection.left() == 6 ? 2 : 4);
        dissection.add(AGGREGATOR_ADDRESS);
      }
      case COMMUNITIES -> communities(dissection);
      case ORIGINATOR_TYPE -> dissection.add(ORIGINATOR);
      case CLUSTER_LIST -> {
        while (dissection.left() > 0) {
          dissection.add(CLUSTER);
        }
      }
      case REACHABLE -> BgpPrefixes.multiprotocolReachable(dissection);
      case UNREACHABLE -> BgpPrefixes.multiprotocolUnreachable(dissection);
      case EXTENDED_COMMUNITIES -> BgpCommunities.dissect(dissection);
      default -> other(dissection, type);
    }
  }

  private static void other(Dissection dissection, int type) {
    switch (type) {
      case METRIC_TYPE -> {
        dissection.add(METRIC_KIND);
        dissection.add(METRIC_LENGTH);
        dissection.add(METRIC);
      }
      case TUNNEL -> {
        dissection.add(TUNNEL_FLAGS);
        int tunnel = (int) dissection.add(TUNNEL_TYPE);
        dissection.add(TUNNEL_LABEL);
        if (tunnel == INGRESS_REPLICATION && dissection.left() == 4) {
          dissection.add(TUNNEL_END);
        }
        dissection.addLeft(TUNNEL_DATA);
      }
      case LARGE_COMMUNITIES -> {
        while (dissection.left() > 0) {
          dissection.add(LARGE_SYSTEM);
          dissection.add(LARGE_1);
          dissection.add(LARGE_2);
        }
      }
      case PREFIX_SEGMENT -> prefixSegment(dissection);
      default -> dissection.addLeft(DATA);
    }
  }

  private static void path(Dissection dissection, int numberBytes) {
    while (dissection.left() > 0) {
      dissection.add(SEGMENT_TYPE);
      int count = (int) dissection.add(SEGMENT_LENGTH);
      for (int i = 0; i < count && dissection.expectsMore(); i++) {
        dissection.add(numberBytes == 2 ? SYSTEM_2 : SYSTEM_4);
      }
    }
  }

  /**
   * Whether systems have two bytes or four, which only both sides' open messages say: that with
   * which the segments end where the attribute does.
   */
  private static int numberBytes(Dissection dissection) {
    return fits(dissection, 2) ? 2 : 4;
  }

  private static boolean fits(Dissection dissection, int numberBytes) {
    int at = 0;
    while (dissection.has(at + 2)) {
      at += 2 + numberBytes * dissection.u8(at + 1);
    }
    return at == dissection.left();
  }

  private static void communities(Dissection dissection) {
    while (dissection.left() > 0) {
      int system = dissection.u16(0);
      if (system == WELL_KNOWN || system == 0) {
        dissection.add(COMMUNITY_KNOWN);
      } else {
        dissection.add(COMMUNITY_SYSTEM);
        dissection.add(COMMUNITY_VALUE);
      }
    }
  }

  private static void prefixSegment(Dissection dissection) {
    while (dissection.left() > 0) {
      int kind = (int) dissection.add(SEGMENT_KIND);
      int length = (int) dissection.add(SEGMENT_BYTES);
      int before = dissection.enter(length);
      if (kind == LABEL_INDEX) {
        dissection.add(SEGMENT_RESERVED);
        dissection.add(INDEX_FLAGS);
        dissection.add(INDEX);
      }
      dissection.addLeft(SEGMENT_DATA);
      dissection.leave(before);
    }
  }
}
