package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import io.linerate.wire.EtherType;
import java.util.List;
import java.util.Map;

/**
 * What users of mobile networks send, in a tunnel: GTP-U of version 1. Behind the header of eight
 * bytes there are four more if one of three flags is set, and then extension headers.
 */
public final class GtpProtocol implements Protocol {
  public static final Fields GTP =
      Fields.of("gtp", "GPRS Tunneling Protocol", "3GPP TS 29.281, section 5.1");
  public static final Field FLAGS = GTP.field("gtp.flags", 8, HEX, "Flags");
  public static final Field VERSION = GTP.part("gtp.flags.version", 0, 3, 8, DECIMAL, "Version");
  public static final Field PROTOCOL_TYPE =
      GTP.part("gtp.flags.payload", 3, 1, 8, DECIMAL, "Protocol type");
  public static final Field RESERVED = GTP.part("gtp.flags.reserved", 4, 1, 8, DECIMAL, "Reserved");
  public static final Field HAS_EXTENSION =
      GTP.part("gtp.flags.e", 5, 1, 8, FLAG, "Extension header present");
  public static final Field HAS_SEQUENCE =
      GTP.part("gtp.flags.s", 6, 1, 8, FLAG, "Sequence number present");
  public static final Field HAS_NPDU =
      GTP.part("gtp.flags.pn", 7, 1, 8, FLAG, "N-PDU number present");
  public static final Field MESSAGE =
      GTP.field(
          "gtp.message",
          8,
          HEX,
          "Message type",
          ValueNames.of(
              Map.of(
                  1, "Echo request",
                  2, "Echo response",
                  26, "Error indication",
                  31, "Supported extension headers notification",
                  254, "End marker",
                  255, "T-PDU")));
  public static final Field LENGTH = GTP.field("gtp.length", 16, DECIMAL, "Length");
  public static final Field TUNNEL = GTP.field("gtp.teid", 32, HEX, "Tunnel endpoint identifier");
  public static final Field SEQUENCE = GTP.floating("gtp.seq_number", 16, HEX, "Sequence number");
  public static final Field NPDU = GTP.floating("gtp.npdu_number", 8, HEX, "N-PDU number");
  private static final GtpExtensions EXTENSIONS = new GtpExtensions(GTP);
  private static final GtpElements ELEMENTS = new GtpElements(GTP);
  public static final Field PAYLOAD =
      GTP.source("3GPP TS 29.281, section 5.1").floating("gtp.tpdu_data", 0, BYTES, "Payload");

  private static final int PORT = 2152;
  private static final int VERSION_SHIFT = 5;
  private static final int HEADER_BYTES = 8;
  private static final int LONG_HEADER_BYTES = 12;
  private static final int LONG_FLAGS = 7;
  private static final int EXTENSION_FLAG = 4;
  private static final int SEQUENCE_FLAG = 2;
  private static final int PAYLOAD_MESSAGE = 255;
  private static final int MAX_EXTENSIONS = 32;

  static {
    GTP.summary(MESSAGE, TUNNEL, SEQUENCE);
  }

  @Override
  public Fields fields() {
    return GTP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(PORT));
  }

  @Override
  public void scan(Scan scan) {
    if (scan.has(0, 1) && scan.u8(0) >>> VERSION_SHIFT != 1) {
      scan.refuse();
      return;
    }
    int flags = scan.number(FLAGS);
    int message = scan.number(MESSAGE);
    int length = scan.number(LENGTH);
    scan.total(HEADER_BYTES + length);
    if (length > scan.claimedLength() - HEADER_BYTES) {
      scan.malformed();
    }
    if (message != PAYLOAD_MESSAGE) {
      return;
    }
    int at = (flags & LONG_FLAGS) != 0 ? LONG_HEADER_BYTES : HEADER_BYTES;
    if ((flags & EXTENSION_FLAG) != 0) {
      at = afterExtensions(scan, at);
    }
    next(scan, at);
  }

  private static int afterExtensions(Scan scan, int from) {
    int at = from;
    for (int i = 0; i < MAX_EXTENSIONS && scan.has(at, 1) && scan.u8(at - 1) != 0; i++) {
      int length = 4 * scan.u8(at);
      if (length == 0) {
        scan.malformed();
        return scan.length();
      }
      at += length;
    }
    return at;
  }

  /** If it is not IP it is left to be a field. */
  private static void next(Scan scan, int at) {
    int firstBits = scan.has(at, 1) ? scan.u8(at) >>> 4 : 0;
    if (firstBits == 4 || firstBits == 6) {
      scan.header(at);
      scan.next(DispatchTable.ETHER_TYPE, firstBits == 4 ? EtherType.IPV4 : EtherType.IPV6);
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    int flags = dissection.u8(0);
    int message = dissection.u8(1);
    int length = dissection.u16(2);
    dissection.fixed();
    int before = dissection.enter(Math.min(length, dissection.left()));
    if ((flags & LONG_FLAGS) != 0) {
      options(dissection, flags);
    }
    if (message == PAYLOAD_MESSAGE) {
      dissection.addLeft(PAYLOAD);
    } else {
      ELEMENTS.dissect(dissection);
    }
    dissection.leave(before);
  }

  private static void options(Dissection dissection, int flags) {
    if ((flags & SEQUENCE_FLAG) != 0) {
      dissection.add(SEQUENCE);
    } else {
      dissection.skip(2);
    }
    if ((flags & 1) != 0) {
      dissection.add(NPDU);
    } else {
      dissection.skip(1);
    }
    if ((flags & EXTENSION_FLAG) != 0) {
      EXTENSIONS.dissect(dissection);
    } else {
      dissection.skip(1);
    }
  }
}
