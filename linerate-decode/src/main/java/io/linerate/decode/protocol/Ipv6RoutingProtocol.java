package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV6;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import io.linerate.wire.IpProtocol;
import java.util.List;

/** The routing header of IPv6: which nodes the packet is to visit. */
public final class Ipv6RoutingProtocol implements Protocol {
  public static final Fields ROUTING =
      Fields.of("ipv6.routing", "IPv6 Routing", "RFC 8200, section 4.4");
  public static final Field NEXT_HEADER =
      ROUTING.field("ipv6.routing.nxt", 8, DECIMAL, "Next header", NumberNames.IP_PROTOCOLS);
  public static final Field LENGTH =
      ROUTING.field("ipv6.routing.len", 8, DECIMAL, "Length in units of 8 bytes, less 1");
  public static final Field TYPE =
      ROUTING.field(
          "ipv6.routing.type",
          8,
          DECIMAL,
          "Type",
          ValueNames.from0(
              "Source route",
              "Nimrod",
              "Mobile IPv6",
              "RPL source route",
              "Segment routing",
              "CRH-16",
              "CRH-32"));
  public static final Field SEGMENTS_LEFT =
      ROUTING.field("ipv6.routing.segleft", 8, DECIMAL, "Segments left");
  public static final Field LENGTH_BYTES =
      ROUTING.floating("ipv6.routing.len_oct", 16, DECIMAL, "Length");

  private static final Field UNKNOWN =
      ROUTING.floating("ipv6.routing.unknown_data", 0, BYTES, "Data of the type");
  private static final Field SOURCE_RESERVED =
      ROUTING
          .source("RFC 5095")
          .floating("ipv6.routing.src.reserved", 32, BYTES, "Source route reserved");
  private static final Field SOURCE_ADDRESS =
      ROUTING.floating("ipv6.routing.src.addr", 128, IPV6, "Source route address");
  private static final Field HOME_RESERVED =
      ROUTING
          .source("RFC 6275, section 6.4")
          .floating("ipv6.routing.mipv6.reserved", 32, BYTES, "Mobile IPv6 reserved");
  private static final Field HOME_ADDRESS =
      ROUTING.floating("ipv6.routing.mipv6.home_address", 128, IPV6, "Home address");
  private static final Parts RPL_LENGTHS =
      ROUTING
          .source("RFC 6554, section 3")
          .parts(32)
          .part("ipv6.routing.rpl.cmprI", 4, DECIMAL, "Bytes left out but in the last address")
          .part("ipv6.routing.rpl.cmprE", 4, DECIMAL, "Bytes left out in the last address")
          .part("ipv6.routing.rpl.pad", 4, DECIMAL, "Bytes of padding")
          .part("ipv6.routing.rpl.reserved", 20, DECIMAL, "RPL reserved");
  private static final Field RPL_COUNT =
      ROUTING.floating("ipv6.routing.rpl.addr_count", 32, DECIMAL, "RPL addresses");
  private static final Field RPL_ADDRESS =
      ROUTING.floating("ipv6.routing.rpl.address", 0, BYTES, "RPL address");
  private static final Field LAST_ENTRY =
      ROUTING
          .source("RFC 8754, section 2")
          .floating("ipv6.routing.srh.last_entry", 8, DECIMAL, "Last entry");
  private static final Field FLAGS = ROUTING.floating("ipv6.routing.srh.flags", 8, HEX, "Flags");
  private static final Field TAG = ROUTING.floating("ipv6.routing.srh.tag", 16, BYTES, "Tag");
  private static final Field SEGMENT =
      ROUTING.floating("ipv6.routing.srh.addr", 128, IPV6, "Segment");
  private static final Field TLV =
      ROUTING
          .source("RFC 8754, section 2.1")
          .floating("ipv6.routing.srh.tlv", 0, BYTES, "Type, length and value");
  private static final Field SID_16 =
      ROUTING
          .source("RFC 9631, section 3")
          .floating("ipv6.routing.crh16.sid", 16, DECIMAL, "Segment identifier");
  private static final Field SID_32 =
      ROUTING.floating("ipv6.routing.crh32.sid", 32, DECIMAL, "Segment identifier");

  private static final int SOURCE_ROUTE = 0;
  private static final int MOBILE = 2;
  private static final int RPL = 3;
  private static final int SEGMENT_ROUTING = 4;
  private static final int CRH_16 = 5;
  private static final int CRH_32 = 6;
  private static final int ADDRESS_BYTES = 16;
  private static final int PAD_1 = 0;

  @Override
  public Fields fields() {
    return ROUTING;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.IPV6_ROUTE));
  }

  @Override
  public void scan(Scan scan) {
    int length = scan.number(LENGTH);
    scan.header(8 + 8 * length);
    scan.next(DispatchTable.IP_PROTOCOL, scan.number(NEXT_HEADER));
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed(NEXT_HEADER);
    dissection.fixed(LENGTH);
    if (dissection.layer().has(LENGTH)) {
      dissection.value(LENGTH_BYTES, 8 + 8 * dissection.layer().value(LENGTH), -1, 1);
    }
    dissection.fixed(TYPE);
    dissection.fixed(SEGMENTS_LEFT);
    if (dissection.layer().has(SEGMENTS_LEFT)) {
      data(dissection, (int) dissection.layer().value(TYPE));
    }
  }

  private static void data(Dissection dissection, int type) {
    switch (type) {
      case SOURCE_ROUTE -> {
        dissection.add(SOURCE_RESERVED);
        addresses(dissection, SOURCE_ADDRESS);
      }
      case MOBILE -> {
        dissection.add(HOME_RESERVED);
        addresses(dissection, HOME_ADDRESS);
      }
      case RPL -> rpl(dissection);
      case SEGMENT_ROUTING -> segments(dissection);
      case CRH_16 -> all(dissection, SID_16, 2);
      case CRH_32 -> all(dissection, SID_32, 4);
      default -> dissection.addLeft(UNKNOWN);
    }
  }

  private static void addresses(Dissection dissection, Field address) {
    all(dissection, address, ADDRESS_BYTES);
  }

  private static void all(Dissection dissection, Field field, int bytes) {
    while (dissection.has(bytes)) {
      dissection.add(field);
    }
  }

  private static void rpl(Dissection dissection) {
    int lengths = (int) dissection.add(RPL_LENGTHS);
    int inner = ADDRESS_BYTES - (lengths >>> 28);
    int last = ADDRESS_BYTES - ((lengths >>> 24) & 0xF);
    int bytes = dissection.left() - ((lengths >>> 20) & 0xF);
    if (bytes < last) {
      dissection.malformed();
      return;
    }
    int count = (bytes - last) / inner + 1;
    dissection.value(RPL_COUNT, count, -4, 4);
    for (int i = 1; i < count; i++) {
      dissection.add(RPL_ADDRESS, inner);
    }
    dissection.add(RPL_ADDRESS, last);
  }

  private static void segments(Dissection dissection) {
    int lastEntry = (int) dissection.add(LAST_ENTRY);
    dissection.add(FLAGS);
    dissection.add(TAG);
    for (int i = 0; i <= lastEntry && dissection.expectsMore(); i++) {
      dissection.add(SEGMENT);
    }
    while (dissection.left() > 0) {
      int bytes = dissection.u8(0) == PAD_1 || !dissection.has(2) ? 1 : 2 + dissection.u8(1);
      dissection.add(TLV, bytes);
    }
  }
}
