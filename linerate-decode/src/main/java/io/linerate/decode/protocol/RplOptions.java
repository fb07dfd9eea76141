package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.protocol.Icmpv6Protocol.ICMPV6;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;

/** The options of RPL: one byte of padding, or type, length of the data, and data. */
final class RplOptions {
  private static final int PAD_1 = 0;
  private static final int PAD_N = 1;
  private static final int METRICS = 2;
  private static final int ROUTE = 3;
  private static final int CONFIGURATION = 4;
  private static final int TARGET = 5;
  private static final int TRANSIT = 6;
  private static final int SOLICITED = 7;
  private static final int PREFIX_INFORMATION = 8;
  private static final int DESCRIPTOR_OPTION = 9;

  private static final Field TYPE =
      ICMPV6
          .source("RFC 6550, section 6.7.1")
          .floating(
              "icmpv6.rpl.opt.type",
              8,
              DECIMAL,
              "Option",
              ValueNames.from0(
                  "Padding of one byte",
                  "Padding",
                  "Metrics",
                  "Route information",
                  "DODAG configuration",
                  "Target",
                  "Transit information",
                  "Solicited information",
                  "Prefix information",
                  "Target descriptor",
                  "Route discovery"));
  private static final Field LENGTH =
      ICMPV6.floating("icmpv6.rpl.opt.length", 8, DECIMAL, "Option length");
  private static final Field RESERVED =
      ICMPV6.floating("icmpv6.rpl.opt.reserved", 0, NONE, "Reserved");
  private static final Field PADDING = ICMPV6.floating("icmpv6.rpl.opt.padn", 0, NONE, "Padding");
  private static final Field DATA = ICMPV6.floating("icmpv6.rpl.opt.data", 0, BYTES, "Option data");
  private static final Field METRIC =
      ICMPV6
          .source("RFC 6551, section 2.1")
          .floating("icmpv6.rpl.opt.metric.type", 8, DECIMAL, "Metric");
  private static final Parts METRIC_FLAGS =
      ICMPV6
          .parts("icmpv6.rpl.opt.metric.flags", 16, HEX, "Metric flags")
          .part("icmpv6.rpl.opt.metric.reserved", 5, HEX, "Reserved")
          .flag("icmpv6.rpl.opt.metric.flag.p", "Not all nodes recorded it")
          .flag("icmpv6.rpl.opt.metric.flag.c", "Constraint")
          .flag("icmpv6.rpl.opt.metric.flag.o", "Optional constraint")
          .flag("icmpv6.rpl.opt.metric.flag.r", "Recorded")
          .part("icmpv6.rpl.opt.metric.flag.a", 3, HEX, "Aggregation")
          .part("icmpv6.rpl.opt.metric.prec", 4, HEX, "Precedence");
  private static final Field METRIC_LENGTH =
      ICMPV6.floating("icmpv6.rpl.opt.metric.length", 8, DECIMAL, "Length of the metric");
  private static final Field METRIC_DATA =
      ICMPV6.floating("icmpv6.rpl.opt.metric.data", 0, BYTES, "Metric data");
  private static final Field ROUTE_LENGTH =
      ICMPV6
          .source("RFC 6550, section 6.7.5")
          .floating("icmpv6.rpl.opt.route.prefix_length", 8, DECIMAL, "Prefix length");
  private static final Parts ROUTE_FLAGS =
      ICMPV6
          .parts("icmpv6.rpl.opt.route.flag", 8, HEX, "Route flags")
          .skip(3)
          .part("icmpv6.rpl.opt.route.pref", 2, DECIMAL, "Route preference");
  private static final Field ROUTE_LIFETIME =
      ICMPV6.floating("icmpv6.rpl.opt.route.lifetime", 32, DECIMAL, "Route lifetime in seconds");
  private static final Field ROUTE_PREFIX =
      ICMPV6.floating("icmpv6.rpl.opt.route.prefix", 128, IPV6, "Route prefix");
  private static final Parts CONFIGURATION_FLAGS =
      ICMPV6
          .source("RFC 6550, section 6.7.6")
          .parts("icmpv6.rpl.opt.config.flag", 8, HEX, "Configuration flags")
          .part("icmpv6.rpl.opt.config.reserved", 4, DECIMAL, "Reserved")
          .flag("icmpv6.rpl.opt.config.auth", "Authentication enabled")
          .part("icmpv6.rpl.opt.config.pcs", 3, DECIMAL, "Path control size");
  private static final Field DOUBLINGS =
      ICMPV6.floating("icmpv6.rpl.opt.config.interval_double", 8, DECIMAL, "Interval doublings");
  private static final Field LEAST_INTERVAL =
      ICMPV6.floating("icmpv6.rpl.opt.config.interval_min", 8, DECIMAL, "Smallest interval");
  private static final Field REDUNDANCY =
      ICMPV6.floating("icmpv6.rpl.opt.config.redundancy", 8, DECIMAL, "Redundancy constant");
  private static final Field RANK_INCREASE =
      ICMPV6.floating("icmpv6.rpl.opt.config.max_rank_inc", 16, DECIMAL, "Largest rank increase");
  private static final Field HOP_INCREASE =
      ICMPV6.floating(
          "icmpv6.rpl.opt.config.min_hop_rank_inc", 16, DECIMAL, "Smallest increase of a hop");
  private static final Field OBJECTIVE =
      ICMPV6.floating("icmpv6.rpl.opt.config.ocp", 16, DECIMAL, "Objective code point");
  private static final Field CONFIGURATION_RESERVED =
      ICMPV6.floating("icmpv6.rpl.opt.config.rsv", 8, DECIMAL, "Reserved");
  private static final Field DEFAULT_LIFETIME =
      ICMPV6.floating("icmpv6.rpl.opt.config.def_lifetime", 8, DECIMAL, "Default lifetime");
  private static final Field LIFETIME_UNIT =
      ICMPV6.floating(
          "icmpv6.rpl.opt.config.lifetime_unit", 16, DECIMAL, "Lifetime unit in seconds");
  private static final Field TARGET_FLAG =
      ICMPV6
          .source("RFC 6550, section 6.7.7")
          .floating("icmpv6.rpl.opt.target.flag", 8, NONE, "Target flags");
  private static final Field TARGET_LENGTH =
      ICMPV6.floating("icmpv6.rpl.opt.target.prefix_length", 8, DECIMAL, "Target length");
  private static final Field TARGET_PREFIX =
      ICMPV6.floating("icmpv6.rpl.opt.target.prefix", 128, IPV6, "Target");
  private static final Parts TRANSIT_FLAGS =
      ICMPV6
          .source("RFC 6550, section 6.7.8")
          .parts("icmpv6.rpl.opt.transit.flag", 8, HEX, "Transit flags")
          .flag("icmpv6.rpl.opt.transit.flag.e", "External")
          .part("icmpv6.rpl.opt.transit.flag.rsv", 7, DECIMAL, "Reserved");
  private static final Field PATH_CONTROL =
      ICMPV6.floating("icmpv6.rpl.opt.transit.pathctl", 8, DECIMAL, "Path control");
  private static final Field PATH_SEQUENCE =
      ICMPV6.floating("icmpv6.rpl.opt.transit.pathseq", 8, DECIMAL, "Path sequence");
  private static final Field PATH_LIFETIME =
      ICMPV6.floating("icmpv6.rpl.opt.transit.pathlifetime", 8, DECIMAL, "Path lifetime");
  private static final Field PARENT =
      ICMPV6.floating("icmpv6.rpl.opt.transit.parent", 128, IPV6, "Parent");
  private static final Field SOLICITED_INSTANCE =
      ICMPV6
          .source("RFC 6550, section 6.7.9")
          .floating("icmpv6.rpl.opt.solicited.instance", 8, DECIMAL, "Solicited instance");
  private static final Parts SOLICITED_FLAGS =
      ICMPV6
          .parts("icmpv6.rpl.opt.solicited.flag", 8, HEX, "Solicited flags")
          .flag("icmpv6.rpl.opt.solicited.flag.v", "Version")
          .flag("icmpv6.rpl.opt.solicited.flag.i", "Instance")
          .flag("icmpv6.rpl.opt.solicited.flag.d", "DODAG")
          .part("icmpv6.rpl.opt.solicited.flag.rsv", 5, DECIMAL, "Reserved");
  private static final Field SOLICITED_DODAG =
      ICMPV6.floating("icmpv6.rpl.opt.solicited.dodagid", 128, IPV6, "Solicited DODAG");
  private static final Field SOLICITED_VERSION =
      ICMPV6.floating("icmpv6.rpl.opt.solicited.version", 8, DECIMAL, "Solicited version");
  private static final Field PREFIX_LENGTH =
      ICMPV6
          .source("RFC 6550, section 6.7.10")
          .floating("icmpv6.rpl.opt.prefix.length", 8, DECIMAL, "Prefix length");
  private static final Parts PREFIX_FLAGS =
      ICMPV6
          .parts("icmpv6.rpl.opt.prefix.flag", 8, HEX, "Prefix flags")
          .flag("icmpv6.rpl.opt.prefix.flag.l", "On link")
          .flag("icmpv6.rpl.opt.config.flag.a", "Autonomous configuration")
          .flag("icmpv6.rpl.opt.config.flag.r", "Router address")
          .part("icmpv6.rpl.opt.config.flag.rsv", 5, DECIMAL, "Reserved");
  private static final Field VALID =
      ICMPV6.floating("icmpv6.rpl.opt.prefix.valid_lifetime", 32, DECIMAL, "Valid lifetime");
  private static final Field PREFERRED =
      ICMPV6.floating(
          "icmpv6.rpl.opt.prefix.preferred_lifetime", 32, DECIMAL, "Preferred lifetime");
  private static final Field PREFIX = ICMPV6.floating("icmpv6.rpl.opt.prefix", 128, IPV6, "Prefix");
  private static final Field DESCRIPTOR =
      ICMPV6.floating("icmpv6.rpl.opt.targetdesc.descriptor", 32, HEX, "Target descriptor");

  private RplOptions() {}

  /** Declares the fields: ICMPv6's are complete only then. */
  static void declare() {}

  /** Goes through all options from the cursor to the end. */
  static void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      boolean isPadding = dissection.u8(0) == PAD_1;
      int length = isPadding || !dissection.has(2) ? 0 : dissection.u8(1);
      dissection.open(NeighborOptions.OPTION, 2 + length);
      int type = (int) dissection.add(TYPE);
      if (!isPadding) {
        dissection.add(LENGTH);
        int before = dissection.enter(length);
        data(dissection, type);
        dissection.leave(before);
      }
      dissection.close();
    }
  }

  private static void data(Dissection dissection, int type) {
    switch (type) {
      case PAD_N -> dissection.add(PADDING, dissection.left());
      case METRICS -> metrics(dissection);
      case ROUTE -> {
        dissection.add(ROUTE_LENGTH);
        dissection.add(ROUTE_FLAGS);
        dissection.add(ROUTE_LIFETIME);
        dissection.addLeft(ROUTE_PREFIX);
      }
      case CONFIGURATION -> configuration(dissection);
      case TARGET -> {
        dissection.add(TARGET_FLAG);
        dissection.add(TARGET_LENGTH);
        dissection.addLeft(TARGET_PREFIX);
      }
      case TRANSIT -> {
        dissection.add(TRANSIT_FLAGS);
        dissection.add(PATH_CONTROL);
        dissection.add(PATH_SEQUENCE);
        dissection.add(PATH_LIFETIME);
        if (dissection.left() > 0) {
          dissection.add(PARENT);
        }
      }
      case SOLICITED -> {
        dissection.add(SOLICITED_INSTANCE);
        dissection.add(SOLICITED_FLAGS);
        dissection.add(SOLICITED_DODAG);
        dissection.add(SOLICITED_VERSION);
      }
      case PREFIX_INFORMATION -> {
        dissection.add(PREFIX_LENGTH);
        dissection.add(PREFIX_FLAGS);
        dissection.add(VALID);
        dissection.add(PREFERRED);
        dissection.add(RESERVED, 4);
        dissection.add(PREFIX);
      }
      case DESCRIPTOR_OPTION -> dissection.add(DESCRIPTOR);
      default -> dissection.addLeft(DATA);
    }
  }

  private static void configuration(Dissection dissection) {
    dissection.add(CONFIGURATION_FLAGS);
    dissection.add(DOUBLINGS);
    dissection.add(LEAST_INTERVAL);
    dissection.add(REDUNDANCY);
    dissection.add(RANK_INCREASE);
    dissection.add(HOP_INCREASE);
    dissection.add(OBJECTIVE);
    dissection.add(CONFIGURATION_RESERVED);
    dissection.add(DEFAULT_LIFETIME);
    dissection.add(LIFETIME_UNIT);
  }

  private static void metrics(Dissection dissection) {
    while (dissection.left() > 0) {
      dissection.add(METRIC);
      dissection.add(METRIC_FLAGS);
      int length = (int) dissection.add(METRIC_LENGTH);
      int before = dissection.enter(length);
      dissection.addLeft(METRIC_DATA);
      dissection.leave(before);
    }
  }
}
