package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.protocol.PimProtocol.PIM;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;

/** The messages of PIM, version 2. */
final class PimMessages {
  private static final int HOLD_TIME_OPTION = 1;
  private static final int PRUNE_DELAY = 2;
  private static final int PRIORITY_OPTION = 19;
  private static final int GENERATION_OPTION = 20;
  private static final int ADDRESSES = 24;
  private static final int OLD_ADDRESSES = 65001;
  private static final int IPV4_FAMILY = 1;
  private static final int IPV6_FAMILY = 2;

  private static final Field OPTION =
      PIM.source("RFC 7761, section 4.9.2").floating("pim.optiontype", 16, DECIMAL, "Option");
  private static final Field OPTION_LENGTH =
      PIM.floating("pim.optionlength", 16, DECIMAL, "Option length");
  private static final Field OPTION_VALUE =
      PIM.floating("pim.optionvalue", 0, BYTES, "Option value");
  private static final Field HOLD_TIME =
      PIM.floating("pim.holdtime", 16, DECIMAL, "Hold time in seconds");
  private static final Field TRACKING = PIM.floating("pim.t", 8, FLAG, "Can track");
  private static final Field DELAY =
      PIM.floating("pim.propagation_delay", 16, DECIMAL, "Propagation delay in ms");
  private static final Field OVERRIDE =
      PIM.floating("pim.override_interval", 16, DECIMAL, "Override interval in ms");
  private static final Field PRIORITY =
      PIM.floating("pim.dr_priority", 32, DECIMAL, "Designated router priority");
  private static final Field GENERATION =
      PIM.floating("pim.generation_id", 32, DECIMAL, "Generation");
  private static final Field FAMILY =
      PIM.source("RFC 7761, section 4.9.1")
          .floating("pim.addr_address_family", 8, DECIMAL, "Address family");
  private static final Field ENCODING =
      PIM.floating("pim.addr_encoding_type", 8, DECIMAL, "Address encoding");
  private static final Parts GROUP_FLAGS =
      PIM.parts("pim.group_addr.flags", 8, HEX, "Group flags")
          .flag("pim.group_addr.flags.b", "Bidirectional")
          .part("pim.group_addr.flags.reserved", 6, HEX, "Reserved")
          .flag("pim.group_addr.flags.z", "Administrative scope zone");
  private static final Parts SOURCE_FLAGS =
      PIM.parts("pim.source_addr.flags", 8, HEX, "Source flags")
          .part("pim.source_addr.flags.reserved", 5, HEX, "Reserved")
          .flag("pim.source_addr.flags.s", "Sparse")
          .flag("pim.source_addr.flags.w", "Wildcard")
          .flag("pim.source_addr.flags.r", "Rendezvous point tree");
  private static final Field MASK_LENGTH = PIM.floating("pim.mask_len", 8, DECIMAL, "Mask length");
  private static final Field GROUP = PIM.floating("pim.group", 32, IPV4, "Group");
  private static final Field GROUP_6 = PIM.floating("pim.group_ip6", 128, IPV6, "Group");
  private static final Field SOURCE = PIM.floating("pim.source", 32, IPV4, "Source");
  private static final Field SOURCE_6 = PIM.floating("pim.source_ip6", 128, IPV6, "Source");
  private static final Field UPSTREAM =
      PIM.source("RFC 7761, section 4.9.5")
          .floating("pim.upstream_neighbor", 32, IPV4, "Upstream neighbor");
  private static final Field UPSTREAM_6 =
      PIM.floating("pim.upstream_neighbor_ip6", 128, IPV6, "Upstream neighbor");
  private static final Field GROUPS = PIM.floating("pim.numgroups", 8, DECIMAL, "Groups");
  private static final Field JOINS = PIM.floating("pim.numjoins", 16, DECIMAL, "Joins");
  private static final Field PRUNES = PIM.floating("pim.numprunes", 16, DECIMAL, "Prunes");
  private static final Field JOIN = PIM.floating("pim.join_ip", 32, IPV4, "Join");
  private static final Field JOIN_6 = PIM.floating("pim.join_ip6", 128, IPV6, "Join");
  private static final Field PRUNE = PIM.floating("pim.prune_ip", 32, IPV4, "Prune");
  private static final Field PRUNE_6 = PIM.floating("pim.prune_ip6", 128, IPV6, "Prune");
  private static final Field ADDRESS = PIM.floating("pim.address_list", 32, IPV4, "Address");
  private static final Field ADDRESS_6 = PIM.floating("pim.address_list_ip6", 128, IPV6, "Address");
  private static final Field FRAGMENT =
      PIM.source("RFC 5059, section 4.1").floating("pim.fragment_tag", 16, HEX, "Fragment tag");
  private static final Field HASH_LENGTH =
      PIM.floating("pim.hash_mask_len", 8, DECIMAL, "Hash mask length");
  private static final Field ROUTER_PRIORITY =
      PIM.floating("pim.bsr_priority", 8, DECIMAL, "Bootstrap router priority");
  private static final Field ROUTER = PIM.floating("pim.bsr", 32, IPV4, "Bootstrap router");
  private static final Field ROUTER_6 = PIM.floating("pim.bsr_ip6", 128, IPV6, "Bootstrap router");
  private static final Field POINTS = PIM.floating("pim.rp_count", 8, DECIMAL, "Points");
  private static final Field FRAGMENT_POINTS =
      PIM.floating("pim.frp_count", 8, DECIMAL, "Points of the fragment");
  private static final Field POINT = PIM.floating("pim.rp", 32, IPV4, "Rendezvous point");
  private static final Field POINT_6 = PIM.floating("pim.rp_ip6", 128, IPV6, "Rendezvous point");
  private static final Field POINT_PRIORITY =
      PIM.floating("pim.priority", 8, DECIMAL, "Point's priority");
  private static final Field PREFIXES = PIM.floating("pim.prefix_count", 8, DECIMAL, "Prefixes");
  private static final Field POINT_TREE =
      PIM.source("RFC 7761, section 4.9.6").floating("pim.rpt", 8, FLAG, "Rendezvous point tree");
  private static final Field PREFERENCE =
      PIM.floating("pim.metric_pref", 32, DECIMAL, "Metric preference");
  private static final Field METRIC = PIM.floating("pim.metric", 32, DECIMAL, "Metric");

  private PimMessages() {}

  /** Declares the fields: PIM's are complete only then. */
  static void declare() {}

  static void hello(Dissection dissection) {
    while (dissection.left() > 0) {
      int type = (int) dissection.add(OPTION);
      int length = (int) dissection.add(OPTION_LENGTH);
      int before = dissection.enter(length);
      option(dissection, type);
      dissection.leave(before);
    }
  }

  private static void option(Dissection dissection, int type) {
    switch (type) {
      case HOLD_TIME_OPTION -> dissection.add(HOLD_TIME);
      case PRUNE_DELAY -> {
        int delay = dissection.u16(0);
        dissection.value(TRACKING, delay >>> 15, 0, 1);
        dissection.value(DELAY, delay & 0x7FFF, 0, 2);
        dissection.skip(2);
        dissection.add(OVERRIDE);
      }
      case PRIORITY_OPTION -> dissection.add(PRIORITY);
      case GENERATION_OPTION -> dissection.add(GENERATION);
      case ADDRESSES, OLD_ADDRESSES -> {
        while (dissection.left() > 0) {
          unicast(dissection, ADDRESS, ADDRESS_6);
        }
      }
      default -> dissection.addLeft(OPTION_VALUE);
    }
  }

  private static int family(Dissection dissection) {
    int family = (int) dissection.add(FAMILY);
    dissection.add(ENCODING);
    return family;
  }

  private static void address(Dissection dissection, int family, Field field, Field field6) {
    switch (family) {
      case IPV4_FAMILY -> dissection.add(field);
      case IPV6_FAMILY -> dissection.add(field6);
      default -> {
        dissection.malformed();
        dissection.skip(dissection.left());
      }
    }
  }

  private static void unicast(Dissection dissection, Field field, Field field6) {
    address(dissection, family(dissection), field, field6);
  }

  private static void group(Dissection dissection) {
    int family = family(dissection);
    dissection.add(GROUP_FLAGS);
    dissection.add(MASK_LENGTH);
    address(dissection, family, GROUP, GROUP_6);
  }

  private static void source(Dissection dissection, Field field, Field field6) {
    int family = family(dissection);
    dissection.add(SOURCE_FLAGS);
    dissection.add(MASK_LENGTH);
    address(dissection, family, field, field6);
  }

  static void registerStop(Dissection dissection) {
    group(dissection);
    unicast(dissection, SOURCE, SOURCE_6);
  }

  static void joinPrune(Dissection dissection) {
    unicast(dissection, UPSTREAM, UPSTREAM_6);
    dissection.add(PimProtocol.RESERVED_BYTES, 1);
    int groups = (int) dissection.add(GROUPS);
    dissection.add(HOLD_TIME);
    for (int i = 0; i < groups && dissection.expectsMore(); i++) {
      group(dissection);
      int joins = (int) dissection.add(JOINS);
      int prunes = (int) dissection.add(PRUNES);
      for (int j = 0; j < joins && dissection.expectsMore(); j++) {
        source(dissection, JOIN, JOIN_6);
      }
      for (int j = 0; j < prunes && dissection.expectsMore(); j++) {
        source(dissection, PRUNE, PRUNE_6);
      }
    }
  }

  static void bootstrap(Dissection dissection) {
    dissection.add(FRAGMENT);
    dissection.add(HASH_LENGTH);
    dissection.add(ROUTER_PRIORITY);
    unicast(dissection, ROUTER, ROUTER_6);
    while (dissection.left() > 0) {
      group(dissection);
      dissection.add(POINTS);
      int points = (int) dissection.add(FRAGMENT_POINTS);
      dissection.skip(2);
      for (int i = 0; i < points && dissection.expectsMore(); i++) {
        unicast(dissection, POINT, POINT_6);
        dissection.add(HOLD_TIME);
        dissection.add(POINT_PRIORITY);
        dissection.add(PimProtocol.RESERVED_BYTES, 1);
      }
    }
  }

  static void assertion(Dissection dissection) {
    group(dissection);
    unicast(dissection, SOURCE, SOURCE_6);
    dissection.value(POINT_TREE, dissection.u8(0) >>> 7, 0, 1);
    dissection.value(PREFERENCE, dissection.u32(0) & 0x7FFF_FFFF, 0, 4);
    dissection.skip(4);
    dissection.add(METRIC);
  }

  static void candidate(Dissection dissection) {
    int prefixes = (int) dissection.add(PREFIXES);
    dissection.add(POINT_PRIORITY);
    dissection.add(HOLD_TIME);
    unicast(dissection, POINT, POINT_6);
    for (int i = 0; i < prefixes && dissection.expectsMore(); i++) {
      group(dissection);
    }
  }
}
