package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.LayerBuilder;
import io.linerate.decode.Parts;
import io.linerate.decode.Protocol;
import io.linerate.decode.ValueNames;
import io.linerate.wire.IpProtocol;
import java.util.List;
import java.util.Map;

/** IGMP, versions 1 to 3, and mtrace. */
public final class IgmpProtocol implements Protocol {
  private static final int QUERY = 0x11;
  private static final int REPORT_1 = 0x12;
  private static final int REPORT_2 = 0x16;
  private static final int LEAVE = 0x17;
  private static final int TRACE_RESPONSE = 0x1E;
  private static final int TRACE = 0x1F;
  private static final int REPORT_3 = 0x22;

  public static final Fields IGMP =
      Fields.of("igmp", "Internet Group Management Protocol", "RFC 9776, section 4");
  public static final Field TYPE =
      IGMP.field(
          "igmp.type",
          8,
          HEX,
          "Type",
          ValueNames.of(
              Map.of(
                  QUERY, "Membership query",
                  REPORT_1, "Membership report, version 1",
                  REPORT_2, "Membership report, version 2",
                  LEAVE, "Leave group",
                  TRACE_RESPONSE, "Traceroute response",
                  TRACE, "Traceroute",
                  REPORT_3, "Membership report, version 3")));
  public static final Field CHECKSUM = IGMP.at(2).field("igmp.checksum", 16, HEX, "Checksum");

  private static final Field VERSION = IGMP.floating("igmp.version", 8, DECIMAL, "Version");
  private static final Field RESERVED = IGMP.floating("igmp.reserved", 0, BYTES, "Reserved");
  private static final Field MAX_RESPONSE =
      IGMP.floating("igmp.max_resp", 8, DECIMAL, "Longest response time in units of 0.1 s");
  private static final Parts RESPONSE_EXPONENT =
      IGMP.parts(8)
          .skip(1)
          .part("igmp.max_resp.exp", 3, HEX, "Exponent")
          .part("igmp.max_resp.mant", 4, HEX, "Mantissa");
  private static final Field GROUP = IGMP.floating("igmp.maddr", 32, IPV4, "Group");
  private static final Parts ROBUSTNESS =
      IGMP.parts(8)
          .skip(4)
          .flag("igmp.s", "Suppress router-side processing")
          .part("igmp.qrv", 3, DECIMAL, "Querier's robustness");
  private static final Field INTERVAL =
      IGMP.floating("igmp.qqic", 8, DECIMAL, "Querier's query interval code");
  private static final Field SOURCES = IGMP.floating("igmp.num_src", 16, DECIMAL, "Sources");
  private static final Field SOURCE = IGMP.floating("igmp.saddr", 32, IPV4, "Source");
  private static final Field RECORDS =
      IGMP.floating("igmp.num_grp_recs", 16, DECIMAL, "Group records");
  private static final Field RECORD =
      IGMP.floating(
          "igmp.record_type",
          8,
          DECIMAL,
          "Record",
          ValueNames.from0(
              "Reserved",
              "Is include",
              "Is exclude",
              "To include",
              "To exclude",
              "Allow",
              "Block"));
  private static final Field AUXILIARY_LENGTH =
      IGMP.floating("igmp.aux_data_len", 8, DECIMAL, "Auxiliary data in units of 4 bytes");
  private static final Field AUXILIARY = IGMP.floating("igmp.aux_data", 0, BYTES, "Auxiliary data");
  private static final Field DATA = IGMP.floating("igmp.data", 0, BYTES, "Data");
  private static final Field MAX_HOPS =
      IGMP.source("draft-ietf-idmr-traceroute-ipm-07, section 4")
          .floating("igmp.mtrace.max_hops", 8, DECIMAL, "Most hops");
  private static final Field TRACE_SOURCE =
      IGMP.floating("igmp.mtrace.saddr", 32, IPV4, "Source traced");
  private static final Field TRACE_RECEIVER =
      IGMP.floating("igmp.mtrace.raddr", 32, IPV4, "Receiver traced");
  private static final Field TRACE_ANSWER =
      IGMP.floating("igmp.mtrace.rspaddr", 32, IPV4, "Who gets the response");
  private static final Field TRACE_TTL =
      IGMP.floating("igmp.mtrace.resp_ttl", 8, DECIMAL, "TTL of the response");
  private static final Field TRACE_QUERY = IGMP.floating("igmp.mtrace.q_id", 24, DECIMAL, "Query");
  private static final Field ARRIVAL =
      IGMP.floating("igmp.mtrace.q_arrival", 32, DECIMAL, "Arrival of the query");
  private static final Field INCOMING =
      IGMP.floating("igmp.mtrace.q_inaddr", 32, IPV4, "Incoming interface");
  private static final Field OUTGOING =
      IGMP.floating("igmp.mtrace.q_outaddr", 32, IPV4, "Outgoing interface");
  private static final Field PREVIOUS =
      IGMP.floating("igmp.mtrace.q_prevrtr", 32, IPV4, "Previous hop");
  private static final Field PACKETS_IN =
      IGMP.floating("igmp.mtrace.q_inpkt", 32, DECIMAL, "Packets in");
  private static final Field PACKETS_OUT =
      IGMP.floating("igmp.mtrace.q_outpkt", 32, DECIMAL, "Packets out");
  private static final Field PACKETS =
      IGMP.floating("igmp.mtrace.q_total", 32, DECIMAL, "Packets of the pair");
  private static final Field ROUTING =
      IGMP.floating("igmp.mtrace.q_rtg_proto", 8, DECIMAL, "Routing protocol");
  private static final Field FORWARD_TTL =
      IGMP.floating("igmp.mtrace.q_fwd_ttl", 8, DECIMAL, "TTL to be forwarded");
  private static final Parts TRACE_BITS =
      IGMP.parts(8)
          .part("igmp.mtrace.q_mbz", 1, HEX, "Zero")
          .part("igmp.mtrace.q_s", 1, HEX, "Source network")
          .part("igmp.mtrace.q_src_mask", 6, HEX, "Source mask");
  private static final Field FORWARD_CODE =
      IGMP.floating("igmp.mtrace.q_fwd_code", 8, HEX, "Forwarding code");

  private static final int LONG_QUERY_BYTES = 12;
  private static final int EXPONENT_BIT = 0x80;

  static {
    IGMP.summary(TYPE, GROUP);
  }

  @Override
  public Fields fields() {
    return IGMP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.IGMP));
  }

  @Override
  public void complete(LayerBuilder layer) {
    if (!layer.isSet(CHECKSUM)) {
      layer.complete(CHECKSUM, layer.checksum(0, true));
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    int type = dissection.u8(0);
    int version = version(type, dissection.u8(1), dissection.left());
    if (!dissection.isSound()) {
      return;
    }
    if (version > 0) {
      dissection.value(VERSION, version, 0, 0);
    }
    dissection.fixed(TYPE);
    switch (type) {
      case QUERY -> query(dissection, version);
      case REPORT_3 -> report(dissection);
      case REPORT_1, REPORT_2, LEAVE -> {
        second(dissection, version == 1);
        dissection.fixed(CHECKSUM);
        dissection.add(GROUP);
      }
      case TRACE, TRACE_RESPONSE -> trace(dissection);
      default -> {
        dissection.offset(1);
        dissection.addLeft(DATA);
      }
    }
  }

  /** RFC 9776, section 7.1: of queries the length tells it, and whether there is a time. */
  private static int version(int type, int second, int bytes) {
    return switch (type) {
      case QUERY -> bytes >= LONG_QUERY_BYTES ? 3 : second == 0 ? 1 : 2;
      case REPORT_1 -> 1;
      case REPORT_3 -> 3;
      case REPORT_2, LEAVE -> 2;
      default -> 0;
    };
  }

  private static void second(Dissection dissection, boolean isReserved) {
    if (isReserved) {
      dissection.add(RESERVED, 1);
    } else {
      dissection.add(MAX_RESPONSE);
    }
  }

  private static void query(Dissection dissection, int version) {
    if (version < 3) {
      second(dissection, version == 1);
      dissection.fixed(CHECKSUM);
      dissection.add(GROUP);
      return;
    }
    responseTime(dissection);
    dissection.fixed(CHECKSUM);
    dissection.add(GROUP);
    dissection.add(ROBUSTNESS);
    dissection.add(INTERVAL);
    int count = (int) dissection.add(SOURCES);
    sources(dissection, count);
  }

  /** RFC 9776, section 4.1.1: from 128 on it is a floating-point number. */
  private static void responseTime(Dissection dissection) {
    int code = dissection.u8(0);
    if (code < EXPONENT_BIT) {
      dissection.add(MAX_RESPONSE);
      return;
    }
    int exponent = (code >>> 4) & 0x7;
    int mantissa = code & 0xF;
    dissection.value(MAX_RESPONSE, (long) (mantissa | 0x10) << (exponent + 3), 0, 1);
    dissection.add(RESPONSE_EXPONENT);
  }

  private static void sources(Dissection dissection, int count) {
    for (int i = 0; i < count && dissection.expectsMore(); i++) {
      dissection.add(SOURCE);
    }
  }

  private static void report(Dissection dissection) {
    dissection.add(RESERVED, 1);
    dissection.fixed(CHECKSUM);
    dissection.add(RESERVED, 2);
    int count = (int) dissection.add(RECORDS);
    for (int i = 0; i < count && dissection.expectsMore(); i++) {
      dissection.add(RECORD);
      int units = (int) dissection.add(AUXILIARY_LENGTH);
      int sources = (int) dissection.add(SOURCES);
      dissection.add(GROUP);
      sources(dissection, sources);
      if (units > 0) {
        dissection.add(AUXILIARY, 4 * units);
      }
    }
    dissection.addLeft(DATA);
  }

  private static void trace(Dissection dissection) {
    dissection.add(MAX_HOPS);
    dissection.fixed(CHECKSUM);
    dissection.add(GROUP);
    dissection.add(TRACE_SOURCE);
    dissection.add(TRACE_RECEIVER);
    dissection.add(TRACE_ANSWER);
    dissection.add(TRACE_TTL);
    dissection.add(TRACE_QUERY);
    while (dissection.left() > 0) {
      dissection.add(ARRIVAL);
      dissection.add(INCOMING);
      dissection.add(OUTGOING);
      dissection.add(PREVIOUS);
      dissection.add(PACKETS_IN);
      dissection.add(PACKETS_OUT);
      dissection.add(PACKETS);
      dissection.add(ROUTING);
      dissection.add(FORWARD_TTL);
      dissection.add(TRACE_BITS);
      dissection.add(FORWARD_CODE);
    }
  }
}
