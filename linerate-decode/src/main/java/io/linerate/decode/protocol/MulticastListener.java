package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.protocol.Icmpv6Protocol.ICMPV6;
import static io.linerate.decode.protocol.Icmpv6Protocol.RESERVED;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;

/** Multicast listener discovery, versions 1 and 2, and what else routers of multicast say. */
final class MulticastListener {
  private static final int QUERY = 130;
  private static final int REPORT_2 = 143;

  /** RFC 9777, section 8.1: queries that are longer are of version 2. */
  private static final int QUERY_1_BYTES = 24;

  private static final int EXPONENT_BIT = 0x8000;

  private static final Field DELAY =
      ICMPV6
          .source("RFC 2710, section 3")
          .floating(
              "icmpv6.mld.maximum_response_delay", 16, DECIMAL, "Longest response delay in ms");
  private static final Field ADDRESS =
      ICMPV6.floating("icmpv6.mld.multicast_address", 128, IPV6, "Multicast address");
  private static final Field CODE =
      ICMPV6
          .source("RFC 9777, section 5.1")
          .floating("icmpv6.mld.maximum_response_code", 16, DECIMAL, "Longest response code");
  private static final Parts FLAGS =
      ICMPV6
          .parts("icmpv6.mld.flag", 8, HEX, "Query flags")
          .part("icmpv6.mld.flag.reserved", 4, DECIMAL, "Reserved")
          .flag("icmpv6.mld.flag.s", "Suppress router-side processing")
          .part("icmpv6.mld.flag.qrv", 3, DECIMAL, "Querier's robustness");
  private static final Field INTERVAL =
      ICMPV6.floating("icmpv6.mld.qqi", 8, DECIMAL, "Querier's query interval code");
  private static final Field SOURCES =
      ICMPV6.floating("icmpv6.mld.nb_sources", 16, DECIMAL, "Sources");
  private static final Field SOURCE =
      ICMPV6.floating("icmpv6.mld.source_address", 128, IPV6, "Source");
  private static final Field RECORDS =
      ICMPV6
          .source("RFC 9777, section 5.2")
          .floating("icmpv6.mldr.nb_mcast_records", 16, DECIMAL, "Records");
  private static final Field RECORD = ICMPV6.floating("icmpv6.mldr.mar", 0, NONE, "Record");
  private static final Field RECORD_TYPE =
      ICMPV6.floating(
          "icmpv6.mldr.mar.record_type",
          8,
          DECIMAL,
          "Record type",
          ValueNames.from0(
              "Reserved",
              "Is include",
              "Is exclude",
              "To include",
              "To exclude",
              "Allow",
              "Block"));
  private static final Field AUXILIARY_LENGTH =
      ICMPV6.floating(
          "icmpv6.mldr.mar.aux_data_len", 8, DECIMAL, "Auxiliary data in units of 4 bytes");
  private static final Field RECORD_SOURCES =
      ICMPV6.floating("icmpv6.mldr.mar.nb_sources", 16, DECIMAL, "Sources of the record");
  private static final Field RECORD_ADDRESS =
      ICMPV6.floating("icmpv6.mldr.mar.multicast_address", 128, IPV6, "Address of the record");
  private static final Field RECORD_SOURCE =
      ICMPV6.floating("icmpv6.mldr.mar.source_address", 128, IPV6, "Source of the record");
  private static final Field AUXILIARY =
      ICMPV6.floating("icmpv6.mldr.mar.auxiliary_data", 0, BYTES, "Auxiliary data");
  private static final Field QUERY_INTERVAL =
      ICMPV6
          .source("RFC 4286, section 3.2")
          .floating("icmpv6.mcast_ra.query_interval", 16, DECIMAL, "Query interval in seconds");
  private static final Field ROBUSTNESS =
      ICMPV6.floating("icmpv6.mcast_ra.robustness_variable", 16, DECIMAL, "Robustness");
  private static final Field SEED_MINIMUM =
      ICMPV6
          .source("RFC 7731, section 6.3")
          .floating("icmpv6.mpl.seed_info.min_sequence", 8, DECIMAL, "Smallest sequence number");
  private static final Parts SEED_LENGTHS =
      ICMPV6
          .parts(8)
          .part("icmpv6.mpl.seed_info.bm_len", 6, DECIMAL, "Bytes of buffered messages")
          .part("icmpv6.mpl.seed_info.s", 2, DECIMAL, "Kind of the seed");
  private static final Field SEED = ICMPV6.floating("icmpv6.mpl.seed_info.seed", 0, BYTES, "Seed");
  private static final Field BUFFERED =
      ICMPV6.floating("icmpv6.mpl.seed_info.buffered", 0, BYTES, "Messages buffered");

  private MulticastListener() {}

  /** Declares the fields: ICMPv6's are complete only then. */
  static void declare() {}

  static void dissect(Dissection dissection, int type) {
    if (type == REPORT_2) {
      report(dissection);
      return;
    }
    boolean isLong = type == QUERY && dissection.left() > QUERY_1_BYTES - 4;
    if (isLong) {
      responseCode(dissection);
    } else {
      dissection.add(DELAY);
    }
    dissection.add(RESERVED, 2);
    dissection.add(ADDRESS);
    if (isLong) {
      dissection.add(FLAGS);
      dissection.add(INTERVAL);
      sources(dissection, SOURCE, (int) dissection.add(SOURCES));
    }
  }

  /** RFC 9777, section 5.1.3: from 32,768 on it is a floating-point number. */
  private static void responseCode(Dissection dissection) {
    int code = dissection.u16(0);
    if (code < EXPONENT_BIT) {
      dissection.add(CODE);
      return;
    }
    long delay = (long) ((code & 0xFFF) | 0x1000) << (((code >>> 12) & 7) + 3);
    dissection.value(CODE, delay, 0, 2);
    dissection.skip(2);
  }

  private static void sources(Dissection dissection, Field source, int count) {
    for (int i = 0; i < count && dissection.expectsMore(); i++) {
      dissection.add(source);
    }
  }

  private static void report(Dissection dissection) {
    dissection.add(RESERVED, 2);
    int count = (int) dissection.add(RECORDS);
    for (int i = 0; i < count && dissection.expectsMore(); i++) {
      dissection.open(RECORD, dissection.left());
      dissection.add(RECORD_TYPE);
      int units = (int) dissection.add(AUXILIARY_LENGTH);
      int sources = (int) dissection.add(RECORD_SOURCES);
      dissection.add(RECORD_ADDRESS);
      sources(dissection, RECORD_SOURCE, sources);
      if (units > 0) {
        dissection.add(AUXILIARY, 4 * units);
      }
      dissection.close();
    }
  }

  static void advertisement(Dissection dissection) {
    dissection.add(QUERY_INTERVAL);
    dissection.add(ROBUSTNESS);
  }

  /** The kind of a seed says how long it is: 0, 2, 8 or 16 bytes. */
  static void seeds(Dissection dissection) {
    while (dissection.left() > 0) {
      dissection.add(SEED_MINIMUM);
      int lengths = (int) dissection.add(SEED_LENGTHS);
      int seedBytes =
          switch (lengths & 3) {
            case 1 -> 2;
            case 2 -> 8;
            case 3 -> 16;
            default -> 0;
          };
      if (seedBytes > 0) {
        dissection.add(SEED, seedBytes);
      }
      if (lengths >>> 2 > 0) {
        dissection.add(BUFFERED, lengths >>> 2);
      }
    }
  }
}
