package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A packet of QUIC, as far as its header is not protected: nothing is decrypted. Several may be in
 * one datagram, each a layer.
 */
public final class QuicProtocol implements Protocol {
  public static final Fields QUIC = Fields.of("quic", "QUIC", "RFC 8999, section 5");
  public static final Field PACKET_LENGTH =
      QUIC.floating("quic.packet_length", 32, DECIMAL, "Packet length");
  public static final Field HEADER_FORM =
      QUIC.part(
          "quic.header_form", 0, 1, 8, DECIMAL, "Header form", ValueNames.from0("short", "long"));
  public static final Field UNUSED =
      QUIC.source("RFC 8999, section 6").floating("quic.vn.unused", 7, HEX, "Unused");
  public static final Field SHORT =
      QUIC.source("RFC 9000, section 17.3.1").floating("quic.short", 0, NONE, "Short header");
  public static final Field FIXED_BIT = QUIC.floating("quic.fixed_bit", 1, FLAG, "Fixed bit");
  public static final Field SPIN_BIT = QUIC.floating("quic.spin_bit", 1, FLAG, "Spin bit");
  public static final Field TYPE =
      QUIC.source("RFC 9000, section 17.2")
          .floating(
              "quic.long.packet_type",
              2,
              DECIMAL,
              "Packet type",
              ValueNames.from0("initial", "0-RTT", "handshake", "retry"));
  public static final Field TYPE_2 =
      QUIC.source("RFC 9369, section 3.2")
          .floating(
              "quic.long.packet_type_v2",
              2,
              DECIMAL,
              "Packet type",
              ValueNames.from0("retry", "initial", "0-RTT", "handshake"));
  public static final Field VERSION =
      QUIC.source("RFC 8999, section 5.1").floating("quic.version", 32, HEX, "Version");
  public static final Field DESTINATION_LENGTH =
      QUIC.floating("quic.dcil", 8, DECIMAL, "Destination length");
  public static final Field DESTINATION =
      QUIC.floating("quic.dcid", 0, BYTES, "Destination connection");
  public static final Field SOURCE_LENGTH = QUIC.floating("quic.scil", 8, DECIMAL, "Source length");
  public static final Field SOURCE = QUIC.floating("quic.scid", 0, BYTES, "Source connection");
  public static final Field SUPPORTED_VERSION =
      QUIC.source("RFC 8999, section 6")
          .floating("quic.supported_version", 32, HEX, "Supported version");
  public static final Field TOKEN_LENGTH =
      QUIC.source("RFC 9000, section 17.2.2")
          .floating("quic.token_length", 64, DECIMAL, "Token length");
  public static final Field TOKEN = QUIC.floating("quic.token", 0, BYTES, "Token");
  public static final Field LENGTH = QUIC.floating("quic.length", 64, DECIMAL, "Length");
  public static final Field PROTECTED = QUIC.floating("quic.protected", 0, BYTES, "Protected");
  public static final Field REMAINING =
      QUIC.floating("quic.remaining_payload", 0, BYTES, "Protected");
  public static final Field RETRY_TOKEN =
      QUIC.source("RFC 9000, section 17.2.5").floating("quic.retry_token", 0, BYTES, "Retry token");
  public static final Field RETRY_TAG =
      QUIC.floating("quic.retry_integrity_tag", 128, BYTES, "Retry integrity tag");

  private static final int VERSION_2 = 0x6B33_43CF;
  private static final int INITIAL = 0;
  private static final int RETRY = 3;
  private static final int MOST_CONNECTION_BYTES = 20;
  private static final int TAG_BYTES = 16;

  /** RFC 9000, section 10.3: what is shorter cannot be told from a reset. */
  private static final int LEAST_SHORT_BYTES = 21;

  static {
    QUIC.summary(
        "quic.header_form",
        "quic.long.packet_type",
        "quic.long.packet_type_v2",
        "version=|quic.version",
        "to=|quic.dcid",
        "from=|quic.scid");
  }

  @Override
  public Fields fields() {
    return QUIC;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(443));
  }

  @Override
  public void scan(Scan scan) {
    int first = scan.u8(0);
    if ((first & 0x80) == 0) {
      if ((first & 0x40) == 0 || scan.claimedLength() < LEAST_SHORT_BYTES) {
        scan.refuse();
      }
      return;
    }
    int at = 6 + scan.u8(5);
    int sourceBytes = scan.has(at, 1) ? scan.u8(at) : 0;
    int version = scan.i32(1);
    if (at - 6 > MOST_CONNECTION_BYTES
        || sourceBytes > MOST_CONNECTION_BYTES
        || (version != 0 && (first & 0x40) == 0)) {
      scan.refuse();
      return;
    }
    if (!scan.has(0, at + 1 + sourceBytes)) {
      scan.header(at + 1 + sourceBytes);
      return;
    }
    int type = type(version, first);
    if (type >= INITIAL && type < RETRY) {
      end(scan, at + 1 + sourceBytes, type);
    }
  }

  /** Of a packet that says how long it is: others may follow. */
  private void end(Scan scan, int offset, int type) {
    int at = offset;
    if (type == INITIAL) {
      at += numberBytes(scan, at) + (int) Math.min(number(scan, at), scan.claimedLength());
    }
    if (!scan.has(at, 1)) {
      return;
    }
    long end = at + numberBytes(scan, at) + number(scan, at);
    if (scan.has(0, (int) Math.min(end, Integer.MAX_VALUE))) {
      scan.header((int) end);
      scan.next(this);
    }
  }

  private static int numberBytes(Scan scan, int at) {
    return 1 << (scan.has(at, 1) ? scan.u8(at) >>> 6 : 0);
  }

  private static long number(Scan scan, int at) {
    int bytes = numberBytes(scan, at);
    if (!scan.has(at, bytes)) {
      return 0;
    }
    long value = scan.u8(at) & 0x3F;
    for (int i = 1; i < bytes; i++) {
      value = (value << Byte.SIZE) | scan.u8(at + i);
    }
    return value;
  }

  /** Type of a packet as version 1 numbers them; -1 if the version is not known. */
  private static int type(int version, int first) {
    int type = (first >>> 4) & 3;
    if (version == VERSION_2) {
      return (type + 3) & 3;
    }
    return version == 1 || version >>> Byte.SIZE == 0xFF_0000 ? type : -1;
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.value(PACKET_LENGTH, dissection.left(), 0, 0);
    int first = dissection.u8(0);
    if ((first & 0x80) == 0) {
      shortHeader(dissection, first);
      return;
    }
    dissection.fixed(HEADER_FORM);
    if (!dissection.has(4)) {
      dissection.skip(4);
      return;
    }
    int version = (int) dissection.u32(0);
    if (version == 0) {
      dissection.value(UNUSED, first & 0x7F, -1, 1);
      connections(dissection);
      while (dissection.left() > 0) {
        dissection.add(SUPPORTED_VERSION);
      }
    } else {
      longHeader(dissection, version, first);
    }
  }

  private static void shortHeader(Dissection dissection, int first) {
    dissection.open(SHORT, 1);
    dissection.fixed(HEADER_FORM);
    dissection.value(FIXED_BIT, (first >>> 6) & 1, -1, 1);
    dissection.value(SPIN_BIT, (first >>> 5) & 1, -1, 1);
    dissection.close();
    dissection.add(REMAINING, dissection.left());
  }

  private static void connections(Dissection dissection) {
    dissection.add(VERSION);
    TlsHandshake.bytes(dissection, DESTINATION_LENGTH, DESTINATION);
    TlsHandshake.bytes(dissection, SOURCE_LENGTH, SOURCE);
  }

  private static void longHeader(Dissection dissection, int version, int first) {
    int type = type(version, first);
    if (type != RETRY) {
      dissection.value(FIXED_BIT, (first >>> 6) & 1, -1, 1);
    }
    if (type >= 0) {
      dissection.value(version == VERSION_2 ? TYPE_2 : TYPE, (first >>> 4) & 3, -1, 1);
    }
    connections(dissection);
    if (type == RETRY) {
      retry(dissection);
      return;
    }
    if (type == INITIAL) {
      number(dissection, TOKEN_LENGTH, TOKEN);
    }
    if (type >= 0 && dissection.left() > 0) {
      number(dissection, LENGTH, null);
    }
    if (dissection.left() > 0) {
      dissection.add(type == INITIAL ? PROTECTED : REMAINING, dissection.left());
    }
  }

  /** A number, and so many bytes behind it that have a field. */
  private static void number(Dissection dissection, Field field, @Nullable Field data) {
    int bytes = dissection.left() == 0 ? 1 : QuicNumber.bytes(dissection, 0);
    if (!dissection.has(bytes)) {
      dissection.skip(bytes);
      return;
    }
    long value = QuicNumber.value(dissection, 0);
    dissection.value(field, value, 0, bytes);
    dissection.skip(bytes);
    if (data != null && value > 0) {
      dissection.add(data, (int) Math.min(value, Integer.MAX_VALUE));
    }
  }

  private static void retry(Dissection dissection) {
    int bytes = dissection.left() - TAG_BYTES;
    if (bytes > 0) {
      dissection.add(RETRY_TOKEN, bytes);
    }
    dissection.add(RETRY_TAG);
  }
}
