package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;

import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;

/**
 * The real-time transport protocol. It has no port of its own: bind those that are used. A protocol
 * that is bound to a payload type follows it.
 *
 * <pre>{@code
 * Protocols mine = Protocols.standard().bind(DispatchTable.UDP_PORT.key(5004), "rtp");
 * }</pre>
 */
public final class RtpProtocol implements Protocol {
  /** Payload type of RTP. */
  public static final DispatchTable PAYLOAD_TYPE = new DispatchTable("rtp.pt");

  public static final Fields RTP =
      Fields.of("rtp", "Real-Time Transport Protocol", "RFC 3550, section 5.1");
  public static final Field VERSION = RTP.field("rtp.version", 2, DECIMAL, "Version");
  public static final Field PADDING = RTP.field("rtp.padding", 1, FLAG, "Padding");
  public static final Field EXTENSION = RTP.field("rtp.ext", 1, FLAG, "Extension");
  public static final Field SOURCES = RTP.field("rtp.cc", 4, DECIMAL, "Contributing sources count");
  public static final Field MARKER = RTP.field("rtp.marker", 1, FLAG, "Marker");
  public static final Field TYPE =
      RTP.field("rtp.p_type", 7, DECIMAL, "Payload type", RtpPayloads.NAMES);
  public static final Field SEQUENCE = RTP.field("rtp.seq", 16, DECIMAL, "Sequence number");
  public static final Field TIMESTAMP = RTP.field("rtp.timestamp", 32, DECIMAL, "Timestamp");
  public static final Field SOURCE = RTP.field("rtp.ssrc", 32, HEX, "Synchronization source");
  public static final Field CONTRIBUTORS =
      RTP.floating("rtp.csrc.items", 0, NONE, "Contributing sources");
  public static final Field CONTRIBUTOR =
      RTP.floating("rtp.csrc.item", 32, HEX, "Contributing source");
  public static final Field PROFILE =
      RTP.source("RFC 3550, section 5.3.1").floating("rtp.ext.profile", 16, HEX, "Profile");
  public static final Field EXTENSION_LENGTH =
      RTP.floating("rtp.ext.len", 16, DECIMAL, "Extension length in 4 B");
  public static final Field EXTENSIONS = RTP.floating("rtp.hdr_exts", 0, NONE, "Extensions");
  public static final Field EXTENSION_WORD = RTP.floating("rtp.hdr_ext", 32, HEX, "Extension");
  public static final Field ELEMENT_BITS =
      RTP.source("RFC 8285, section 4.3")
          .floating("rtp.ext.rfc5285.appbits", 4, DECIMAL, "Application's bits");
  public static final Field ELEMENT =
      RTP.source("RFC 8285, section 4.2")
          .floating("rtp.ext.rfc5285.id", 8, DECIMAL, "Extension's identifier");
  public static final Field ELEMENT_LENGTH =
      RTP.floating("rtp.ext.rfc5285.len", 8, DECIMAL, "Extension's length");
  public static final Field ELEMENT_DATA =
      RTP.floating("rtp.ext.rfc5285.data", 0, BYTES, "Extension's data");
  public static final Field PAYLOAD =
      RTP.source("RFC 3550, section 5.1").floating("rtp.payload", 0, BYTES, "Payload");
  public static final Field PADDING_DATA =
      RTP.floating("rtp.padding.data", 0, BYTES, "Padding's bytes");
  public static final Field PADDING_COUNT =
      RTP.floating("rtp.padding.count", 8, DECIMAL, "Padding's length");

  private static final int HEADER_BYTES = 12;
  private static final int EXTENSION_HEADER_BYTES = 4;
  private static final int ONE_BYTE = 0xBEDE;

  /** With four bits that are the application's. */
  private static final int TWO_BYTES = 0x100;

  static {
    RTP.summary(
        "rtp.p_type",
        "marker|rtp.marker",
        "seq=|rtp.seq",
        "time=|rtp.timestamp",
        "source=|rtp.ssrc");
  }

  @Override
  public Fields fields() {
    return RTP;
  }

  @Override
  public void scan(Scan scan) {
    if (!scan.has(0, HEADER_BYTES)) {
      scan.malformed();
      return;
    }
    scan.next(PAYLOAD_TYPE, scan.number(TYPE));
    if (scan.hasNext()) {
      int at = HEADER_BYTES + 4 * scan.number(SOURCES);
      if (scan.number(EXTENSION) != 0) {
        at += EXTENSION_HEADER_BYTES + 4 * scan.u16(at + 2);
      }
      if (scan.number(PADDING) != 0 && scan.has(scan.length() - 1, 1)) {
        scan.total(scan.length() - scan.u8(scan.length() - 1));
      }
      scan.header(at);
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    if (!dissection.has(HEADER_BYTES)) {
      dissection.skip(HEADER_BYTES);
      return;
    }
    dissection.fixed();
    contributors(dissection, (int) dissection.layer().value(SOURCES));
    if (dissection.layer().value(EXTENSION) != 0) {
      extension(dissection);
    }
    int left = dissection.left();
    boolean isPadded = dissection.layer().value(PADDING) != 0 && left > 0;
    int padding = isPadded ? dissection.u8(left - 1) : 0;
    if (padding > left) {
      dissection.malformed();
      padding = left;
    }
    if (left > padding) {
      dissection.add(PAYLOAD, left - padding);
    }
    if (padding > 1) {
      dissection.add(PADDING_DATA, padding - 1);
    }
    if (isPadded) {
      dissection.add(PADDING_COUNT);
    }
    dissection.payload(PAYLOAD);
  }

  private static void contributors(Dissection dissection, int count) {
    if (count == 0) {
      return;
    }
    dissection.open(CONTRIBUTORS, 4 * count);
    for (int i = 0; i < count; i++) {
      dissection.add(CONTRIBUTOR);
    }
    dissection.close();
  }

  private static void extension(Dissection dissection) {
    int profile = (int) dissection.add(PROFILE);
    int bytes = 4 * (int) dissection.add(EXTENSION_LENGTH);
    if (bytes == 0) {
      return;
    }
    dissection.open(EXTENSIONS, bytes);
    int before = dissection.enter(bytes);
    while (dissection.left() > 0) {
      if (profile == ONE_BYTE) {
        oneByte(dissection);
      } else if (profile >>> 4 == TWO_BYTES) {
        twoBytes(dissection, profile & 0xF);
      } else {
        dissection.add(EXTENSION_WORD);
      }
    }
    dissection.leave(before);
    dissection.close();
  }

  private static void oneByte(Dissection dissection) {
    int first = dissection.u8(0);
    int bytes = (first & 0xF) + 1;
    if (first == 0) {
      padding(dissection);
      return;
    }
    dissection.value(ELEMENT, first >>> 4, 0, 1);
    dissection.value(ELEMENT_LENGTH, bytes, 0, 1);
    dissection.skip(1);
    dissection.add(ELEMENT_DATA, bytes);
  }

  private static void twoBytes(Dissection dissection, int bits) {
    if (dissection.u8(0) == 0) {
      padding(dissection);
      return;
    }
    dissection.value(ELEMENT_BITS, bits, 0, 0);
    dissection.add(ELEMENT);
    int bytes = (int) dissection.add(ELEMENT_LENGTH);
    if (bytes > 0) {
      dissection.add(ELEMENT_DATA, bytes);
    }
  }

  /** Zeros; those at the end are not told. */
  private static void padding(Dissection dissection) {
    int count = 1;
    while (dissection.has(count + 1) && dissection.u8(count) == 0) {
      count++;
    }
    if (dissection.left() > count) {
      dissection.add(PADDING_DATA, count);
    } else {
      dissection.skip(count);
    }
  }
}
