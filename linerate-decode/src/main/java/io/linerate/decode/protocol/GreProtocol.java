package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;

import io.linerate.core.memory.LinkType;
import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.LayerBuilder;
import io.linerate.decode.Parts;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import java.util.List;

/**
 * Generic routing encapsulation, of version 0 and that of PPTP, version 1. Flags say which fields
 * of four bytes follow the first four.
 */
public final class GreProtocol implements Protocol {
  /** Types of protocols that are no ether types, or others. */
  public static final DispatchTable TYPES = new DispatchTable("gre.proto");

  public static final Fields GRE =
      Fields.of("gre", "Generic Routing Encapsulation", "RFC 2784, section 2");
  public static final Field FLAGS = GRE.field("gre.flags_and_version", 16, HEX, "Flags, version");
  public static final Field HAS_CHECKSUM =
      GRE.part("gre.flags.checksum", 0, 1, 16, FLAG, "Checksum present");
  public static final Field HAS_ROUTING =
      GRE.source("RFC 1701").part("gre.flags.routing", 1, 1, 16, FLAG, "Routing present");
  public static final Field HAS_KEY =
      GRE.source("RFC 2890, section 2").part("gre.flags.key", 2, 1, 16, FLAG, "Key present");
  public static final Field HAS_SEQUENCE =
      GRE.part("gre.flags.sequence_number", 3, 1, 16, FLAG, "Sequence number present");
  public static final Field STRICT =
      GRE.source("RFC 1701")
          .part("gre.flags.strict_source_route", 4, 1, 16, FLAG, "Strict source route");
  public static final Field RECURSION =
      GRE.part("gre.flags.recursion_control", 5, 3, 16, DECIMAL, "Recursion control");
  public static final Field HAS_ACKNOWLEDGMENT =
      GRE.source("RFC 2637, section 4.1")
          .floating("gre.flags.ack", 16, FLAG, "Acknowledgment number present");
  public static final Field RESERVED = GRE.floating("gre.flags.reserved", 16, DECIMAL, "Reserved");
  public static final Field VERSION =
      GRE.source("RFC 2784, section 2.3.1")
          .part("gre.flags.version", 13, 3, 16, DECIMAL, "Version");
  public static final Field TYPE =
      GRE.source("RFC 2784, section 2.4")
          .field("gre.proto", 16, HEX, "Protocol", NumberNames.ETHER_TYPES);
  public static final Field CHECKSUM =
      GRE.source("RFC 2784, section 2.5").floating("gre.checksum", 16, HEX, "Checksum");
  public static final Field OFFSET =
      GRE.source("RFC 1701").floating("gre.offset", 16, DECIMAL, "Offset");
  public static final Field KEY =
      GRE.source("RFC 2890, section 2.1").floating("gre.key", 32, HEX, "Key");
  public static final Field PAYLOAD_LENGTH =
      GRE.source("RFC 2637, section 4.1")
          .floating("gre.key.payload_length", 16, DECIMAL, "Length of the payload");
  public static final Field CALL =
      GRE.floating("gre.key.call_id", 16, DECIMAL, "Identifier of the call");
  public static final Field SEQUENCE =
      GRE.source("RFC 2890, section 2.2")
          .floating("gre.sequence_number", 32, DECIMAL, "Sequence number");
  public static final Field ACKNOWLEDGMENT =
      GRE.source("RFC 2637, section 4.1")
          .floating("gre.ack_number", 32, DECIMAL, "Acknowledgment number");
  public static final Field ROUTING =
      GRE.source("RFC 1701").floating("gre.routing", 0, NONE, "Source route entry");
  public static final Field FAMILY =
      GRE.floating("gre.routing.address_family", 16, DECIMAL, "Address family");
  public static final Field ENTRY_OFFSET =
      GRE.floating("gre.routing.sre_offset", 8, DECIMAL, "Offset in the entry");
  public static final Field ENTRY_LENGTH =
      GRE.floating("gre.routing.src_length", 8, DECIMAL, "Length of the entry");
  public static final Field ENTRY =
      GRE.floating("gre.routing.information", 0, BYTES, "Routing information");
  public static final Field REDIRECT =
      GRE.source("draft-mclaggan-wccp-v2rev1-00, section 4.12.1")
          .floating("gre.wccp.redirect_header", 0, NONE, "Redirect header");
  private static final Parts REDIRECT_FLAGS =
      GRE.parts(8)
          .skip(5)
          .flag("gre.wccp.redirect_header_valid", "Header valid")
          .flag("gre.wccp.alternative_bucket_used", "Alternative bucket used")
          .flag("gre.wccp.dynamic_service", "Dynamic service");
  public static final Field SERVICE = GRE.floating("gre.wccp.service_id", 8, DECIMAL, "Service");
  public static final Field ALTERNATIVE_BUCKET =
      GRE.floating("gre.wccp.alternative_bucket", 8, DECIMAL, "Alternative bucket");
  public static final Field PRIMARY_BUCKET =
      GRE.floating("gre.wccp.primary_bucket", 8, DECIMAL, "Primary bucket");

  private static final int HEADER_BYTES = 4;
  private static final int CHECKSUM_FLAG = 0x8000;
  private static final int ROUTING_FLAG = 0x4000;
  private static final int KEY_FLAG = 0x2000;
  private static final int SEQUENCE_FLAG = 0x1000;
  private static final int ACKNOWLEDGMENT_FLAG = 0x0080;
  private static final int VERSION_MASK = 7;
  private static final int WCCP = 0x883E;
  private static final int PPP = 0x880B;
  private static final int ENTRY_HEADER_BYTES = 4;

  static {
    GRE.summary(TYPE, KEY, CALL, SEQUENCE);
  }

  @Override
  public Fields fields() {
    return GRE;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.GRE));
  }

  @Override
  public void scan(Scan scan) {
    int flags = scan.number(FLAGS);
    int type = scan.number(TYPE);
    int at = HEADER_BYTES;
    at += (flags & (CHECKSUM_FLAG | ROUTING_FLAG)) != 0 ? 4 : 0;
    at += (flags & KEY_FLAG) != 0 ? 4 : 0;
    at += (flags & SEQUENCE_FLAG) != 0 ? 4 : 0;
    at += isEnhanced(flags) && (flags & ACKNOWLEDGMENT_FLAG) != 0 ? 4 : 0;
    if ((flags & ROUTING_FLAG) != 0) {
      at = afterRouting(scan, at);
    }
    if (type == WCCP) {
      // Version 1 has no such header: IPv4 begins there.
      at += scan.has(at, 1) && scan.u8(at) >>> 4 == 4 ? 0 : 4;
    }
    scan.header(at);
    if (!isEnhanced(flags) || (flags & KEY_FLAG) == 0 || scan.u16(HEADER_BYTES) != 0) {
      next(scan, type);
    } // Else it acknowledges and carries nothing: RFC 2637, section 4.1.
  }

  private static void next(Scan scan, int type) {
    switch (type) {
      case PPP -> scan.next(DispatchTable.LINK_TYPE, LinkType.PPP.number());
      case WCCP -> scan.next(DispatchTable.ETHER_TYPE, EtherType.IPV4);
      default -> {
        scan.next(TYPES, type);
        if (!scan.hasNext() && type >= EtherType.MIN) {
          scan.next(DispatchTable.ETHER_TYPE, type);
        }
      }
    }
  }

  private static int afterRouting(Scan scan, int from) {
    int at = from;
    while (scan.isSound()) { // If not, the last of them is not there.
      int family = scan.u16(at);
      int length = scan.u8(at + 3);
      at += ENTRY_HEADER_BYTES + length;
      if (family == 0 && length == 0 && scan.isSound()) {
        return at;
      }
    }
    return scan.length();
  }

  private static boolean isEnhanced(int flags) {
    return (flags & VERSION_MASK) == 1;
  }

  @Override
  public void complete(LayerBuilder layer) {
    layer.complete(TYPE, Math.max(layer.next(DispatchTable.ETHER_TYPE), 0));
  }

  @Override
  public void dissect(Dissection dissection) {
    int flags = dissection.u16(0);
    int type = dissection.u16(2);
    dissection.fixed();
    boolean isEnhanced = isEnhanced(flags);
    if (isEnhanced) {
      dissection.value(HAS_ACKNOWLEDGMENT, flags & ACKNOWLEDGMENT_FLAG, -HEADER_BYTES, 2);
    }
    dissection.value(RESERVED, (flags >>> 3) & (isEnhanced ? 0xF : 0x1F), -HEADER_BYTES, 2);
    if ((flags & (CHECKSUM_FLAG | ROUTING_FLAG)) != 0) {
      dissection.add(CHECKSUM);
      dissection.add(OFFSET);
    }
    if ((flags & KEY_FLAG) != 0) {
      key(dissection, isEnhanced && type == PPP);
    }
    if ((flags & SEQUENCE_FLAG) != 0) {
      dissection.add(SEQUENCE);
    }
    if (isEnhanced && (flags & ACKNOWLEDGMENT_FLAG) != 0) {
      dissection.add(ACKNOWLEDGMENT);
    }
    if ((flags & ROUTING_FLAG) != 0) {
      routing(dissection);
    }
    if (type == WCCP && dissection.left() > 0) {
      redirect(dissection);
    }
  }

  private static void key(Dissection dissection, boolean isPptp) {
    if (isPptp) {
      dissection.add(PAYLOAD_LENGTH);
      dissection.add(CALL);
    } else {
      dissection.add(KEY);
    }
  }

  private static void routing(Dissection dissection) {
    while (dissection.left() >= ENTRY_HEADER_BYTES) {
      int length = dissection.u8(3);
      boolean isLast = dissection.u16(0) == 0 && length == 0;
      dissection.open(ROUTING, ENTRY_HEADER_BYTES + length);
      dissection.add(FAMILY);
      dissection.add(ENTRY_OFFSET);
      dissection.add(ENTRY_LENGTH);
      if (length > 0) {
        dissection.add(ENTRY, length);
      }
      dissection.close();
      if (isLast) {
        return;
      }
    }
  }

  private static void redirect(Dissection dissection) {
    dissection.open(REDIRECT, 4);
    dissection.add(REDIRECT_FLAGS);
    dissection.add(SERVICE);
    dissection.add(ALTERNATIVE_BUCKET);
    dissection.add(PRIMARY_BUCKET);
    dissection.close();
  }
}
