package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.protocol.Ipv4Protocol.IP;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;
import java.util.Map;

/**
 * The options of IPv4: one byte, or type, length of all of it, and data; the registry is IANA's "IP
 * Option Numbers".
 */
final class Ipv4Options {
  private static final int END = 0;
  private static final int NO_OPERATION = 1;
  private static final int RECORD_ROUTE = 7;
  private static final int MTU_PROBE = 11;
  private static final int MTU_REPLY = 12;
  private static final int QUICK_START = 25;
  private static final int TIMESTAMP = 68;
  private static final int TRACEROUTE = 82;
  private static final int SECURITY = 130;
  private static final int LOOSE_ROUTE = 131;
  private static final int EXTENDED_SECURITY = 133;
  private static final int COMMERCIAL_SECURITY = 134;
  private static final int STREAM = 136;
  private static final int STRICT_ROUTE = 137;
  private static final int ROUTER_ALERT = 148;
  private static final int DIRECTED_BROADCAST = 149;

  /** Pointers count from the option's start, 1 on: the first entry of a route is at 4. */
  private static final int FIRST_POINTER = 4;

  private static final int OLD_SECURITY_BYTES = 11;
  private static final int FLAG_ADDRESSES = 1;
  private static final int FLAG_PRESET = 3;

  private static final int QUICK_REQUEST = 0;
  private static final int QUICK_REPORT = 8;

  private static final ValueNames NAMES =
      ValueNames.of(
          Map.ofEntries(
              Map.entry(END, "End of options"),
              Map.entry(NO_OPERATION, "No operation"),
              Map.entry(RECORD_ROUTE, "Record route"),
              Map.entry(MTU_PROBE, "MTU probe"),
              Map.entry(MTU_REPLY, "MTU reply"),
              Map.entry(QUICK_START, "Quick-Start"),
              Map.entry(TIMESTAMP, "Timestamp"),
              Map.entry(TRACEROUTE, "Traceroute"),
              Map.entry(SECURITY, "Security"),
              Map.entry(LOOSE_ROUTE, "Loose source route"),
              Map.entry(EXTENDED_SECURITY, "Extended security"),
              Map.entry(COMMERCIAL_SECURITY, "Commercial security"),
              Map.entry(STREAM, "Stream identifier"),
              Map.entry(STRICT_ROUTE, "Strict source route"),
              Map.entry(ROUTER_ALERT, "Router alert"),
              Map.entry(DIRECTED_BROADCAST, "Selective directed broadcast")));

  private static final Parts TYPE =
      IP.source("RFC 791, section 3.1")
          .parts("ip.opt.type", 8, DECIMAL, "Option", NAMES)
          .flag("ip.opt.type.copy", "Copied into fragments")
          .part("ip.opt.type.class", 2, DECIMAL, "Option class")
          .part("ip.opt.type.number", 5, DECIMAL, "Option number");
  private static final Field LENGTH = IP.floating("ip.opt.len", 8, DECIMAL, "Option length");
  private static final Field POINTER = IP.floating("ip.opt.ptr", 8, DECIMAL, "Pointer");
  private static final Field RECORDED = IP.floating("ip.rec_rt", 32, IPV4, "Recorded route");
  private static final Field ROUTE = IP.floating("ip.src_rt", 32, IPV4, "Source route");
  private static final Field EMPTY = IP.floating("ip.empty_rt", 32, IPV4, "Empty route");
  private static final Field STREAM_ID =
      IP.floating("ip.opt.sid", 16, DECIMAL, "Stream identifier");
  private static final Parts TIMESTAMP_FLAGS =
      IP.parts(8)
          .part("ip.opt.overflow", 4, DECIMAL, "Overflow")
          .part("ip.opt.flag", 4, HEX, "Timestamp flag");
  private static final Field TIME = IP.floating("ip.opt.time_stamp", 32, DECIMAL, "Timestamp");
  private static final Field TIME_ADDRESS =
      IP.floating("ip.opt.time_stamp_addr", 32, IPV4, "Address of the timestamp");
  private static final Field OLD_LEVEL = IP.floating("ip.opt.sec_rfc791_sec", 16, HEX, "Security");
  private static final Field OLD_COMPARTMENTS =
      IP.floating("ip.opt.sec_rfc791_comp", 16, DECIMAL, "Compartments");
  private static final Field OLD_RESTRICTIONS =
      IP.floating("ip.opt.sec_rfc791_hr", 16, TEXT, "Handling restrictions");
  private static final Field OLD_CONTROL =
      IP.floating("ip.opt.sec_rfc791_tcc", 24, TEXT, "Transmission control code");
  private static final Field LEVEL =
      IP.source("RFC 1108, section 2").floating("ip.opt.sec_cl", 8, HEX, "Classification level");
  private static final Parts AUTHORITIES =
      IP.parts("ip.opt.sec_prot_auth_flags", 8, HEX, "Protection authorities")
          .flag("ip.opt.sec_prot_auth_genser", "GENSER")
          .flag("ip.opt.sec_prot_auth_siop_esi", "SIOP-ESI")
          .flag("ip.opt.sec_prot_auth_sci", "SCI")
          .flag("ip.opt.sec_prot_auth_nsa", "NSA")
          .flag("ip.opt.sec_prot_auth_doe", "DOE")
          .part("ip.opt.sec_prot_auth_unassigned", 2, HEX, "Unassigned")
          .flag("ip.opt.sec_prot_auth_fti", "More authorities");
  private static final Field FORMAT =
      IP.floating("ip.opt.ext_sec_add_sec_info_format_code", 8, HEX, "Format of additional info");
  private static final Field ADDITIONAL =
      IP.floating("ip.opt.ext_sec_add_sec_info", 0, BYTES, "Additional security info");
  private static final Field MTU =
      IP.source("RFC 1063, section 3").floating("ip.opt.mtu", 16, DECIMAL, "MTU");
  private static final Field TRACE =
      IP.source("RFC 1393, section 2.2").floating("ip.opt.id_number", 16, DECIMAL, "Trace");
  private static final Field OUTBOUND =
      IP.floating("ip.opt.ohc", 16, DECIMAL, "Hops of the outbound packet");
  private static final Field RETURN =
      IP.floating("ip.opt.rhc", 16, DECIMAL, "Hops of the return packet");
  private static final Field ORIGINATOR = IP.floating("ip.opt.originator", 32, IPV4, "Originator");
  private static final Field ALERT =
      IP.source("RFC 2113, section 2.1").floating("ip.opt.ra", 16, DECIMAL, "Router alert");
  private static final Field ADDRESS =
      IP.source("RFC 1770, section 2").floating("ip.opt.addr", 32, IPV4, "Broadcast address");
  private static final Field PADDING = IP.floating("ip.opt.padding", 0, BYTES, "Padding");
  private static final Parts QUICK =
      IP.source("RFC 4782, section 3.1")
          .parts(8)
          .part("ip.opt.qs_func", 4, DECIMAL, "Quick-Start function")
          .part("ip.opt.qs_rate", 4, DECIMAL, "Quick-Start rate");
  private static final Field QUICK_TTL =
      IP.floating("ip.opt.qs_ttl", 8, DECIMAL, "Quick-Start TTL");
  private static final Field QUICK_TTL_DIFFERENCE =
      IP.floating("ip.opt.qs_ttl_diff", 8, DECIMAL, "TTL less Quick-Start TTL");
  private static final Field QUICK_UNUSED = IP.floating("ip.opt.qs_unused", 8, DECIMAL, "Not used");
  private static final Parts QUICK_NONCE =
      IP.parts(32)
          .part("ip.opt.qs_nonce", 30, HEX, "Quick-Start nonce")
          .part("ip.opt.qs_reserved", 2, HEX, "Quick-Start reserved");
  private static final Field DATA =
      IP.source("RFC 791, section 3.1").floating("ip.opt.data", 0, BYTES, "Option data");

  static {
    IP.alias("ip.rec_rt_host", RECORDED);
    IP.alias("ip.src_rt_host", ROUTE);
    IP.alias("ip.empty_rt_host", EMPTY);
  }

  private Ipv4Options() {}

  /** Declares the fields: IPv4's are complete only then. */
  static void declare() {
    CommercialSecurity.declare();
  }

  /** Goes through all options of a header. */
  static void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      int type = dissection.u8(0);
      boolean isLong = type > NO_OPERATION;
      int length = isLong && dissection.has(2) ? dissection.u8(1) : 1;
      if (isLong && (length < 2 || length > dissection.left())) {
        dissection.malformed();
        return;
      }
      dissection.add(TYPE);
      if (type == END) {
        return;
      }
      if (isLong) {
        dissection.add(LENGTH);
        int before = dissection.enter(length - 2);
        data(dissection, type, length);
        dissection.leave(before);
      }
    }
  }

  private static void data(Dissection dissection, int type, int length) {
    switch (type) {
      case RECORD_ROUTE, LOOSE_ROUTE, STRICT_ROUTE -> route(dissection, type);
      case TIMESTAMP -> timestamps(dissection);
      case SECURITY -> security(dissection, length);
      case EXTENDED_SECURITY -> {
        dissection.add(FORMAT);
        dissection.addLeft(ADDITIONAL);
      }
      case COMMERCIAL_SECURITY -> CommercialSecurity.dissect(dissection);
      case STREAM -> dissection.add(STREAM_ID);
      case MTU_PROBE, MTU_REPLY -> dissection.add(MTU);
      case TRACEROUTE -> {
        dissection.add(TRACE);
        dissection.add(OUTBOUND);
        dissection.add(RETURN);
        dissection.add(ORIGINATOR);
      }
      case ROUTER_ALERT -> dissection.add(ALERT);
      case DIRECTED_BROADCAST -> {
        while (dissection.has(4)) {
          dissection.add(ADDRESS);
        }
        dissection.addLeft(PADDING);
      }
      case QUICK_START -> quickStart(dissection);
      default -> dissection.addLeft(DATA);
    }
  }

  private static void route(Dissection dissection, int type) {
    int pointer = (int) dissection.add(POINTER);
    if (pointer < FIRST_POINTER || pointer % 4 != 0) {
      dissection.malformed();
      return;
    }
    boolean isRecord = type == RECORD_ROUTE;
    for (int at = FIRST_POINTER; dissection.left() > 0; at += 4) {
      boolean isPast = at < pointer;
      dissection.add(isPast ? RECORDED : isRecord ? EMPTY : ROUTE);
    }
  }

  private static void timestamps(Dissection dissection) {
    dissection.add(POINTER);
    int flag = (int) dissection.add(TIMESTAMP_FLAGS) & 0xF;
    boolean hasAddresses = flag == FLAG_ADDRESSES || flag == FLAG_PRESET;
    while (dissection.left() > 0) {
      if (hasAddresses) {
        dissection.add(TIME_ADDRESS);
      }
      dissection.add(TIME);
    }
  }

  private static void security(Dissection dissection, int length) {
    if (length == OLD_SECURITY_BYTES) {
      dissection.add(OLD_LEVEL);
      dissection.add(OLD_COMPARTMENTS);
      dissection.add(OLD_RESTRICTIONS);
      dissection.add(OLD_CONTROL);
      return;
    }
    dissection.add(LEVEL);
    boolean hasMore = true;
    while (hasMore && dissection.left() > 0) {
      hasMore = (dissection.add(AUTHORITIES) & 1) != 0;
    }
  }

  private static void quickStart(Dissection dissection) {
    int function = (int) dissection.add(QUICK) >>> 4;
    if (function == QUICK_REQUEST) {
      int ttl = (int) dissection.add(QUICK_TTL);
      long difference = (dissection.layer().value(Ipv4Protocol.TTL) - ttl) & 0xFF;
      dissection.value(QUICK_TTL_DIFFERENCE, difference, -1, 1);
      dissection.add(QUICK_NONCE);
    } else if (function == QUICK_REPORT) {
      dissection.add(QUICK_UNUSED);
      dissection.add(QUICK_NONCE);
    }
  }
}
