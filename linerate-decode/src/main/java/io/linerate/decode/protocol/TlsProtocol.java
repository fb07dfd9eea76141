package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
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
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A record of TLS; each is a layer of its own. */
public final class TlsProtocol implements Protocol {
  public static final Fields TLS =
      Fields.of("tls", "Transport Layer Security", "RFC 8446, section 5.1");
  public static final Field CONTENT_TYPE =
      TLS.field(
          "tls.record.content_type",
          8,
          DECIMAL,
          "Content type",
          ValueNames.of(
              Map.of(
                  20,
                  "change cipher spec",
                  21,
                  "alert",
                  22,
                  "handshake",
                  23,
                  "application data",
                  24,
                  "heartbeat")));
  public static final Field VERSION =
      TLS.field("tls.record.version", 16, HEX, "Version", TlsNames.VERSIONS);
  public static final Field LENGTH = TLS.field("tls.record.length", 16, DECIMAL, "Length");
  public static final Field RECORD = TLS.floating("tls.record", 0, NONE, "Record");
  public static final Field APPLICATION_DATA =
      TLS.source("RFC 8446, section 5.2").floating("tls.app_data", 0, BYTES, "Application data");
  public static final Field CHANGE_CIPHER_SPEC =
      TLS.source("RFC 5246, section 7.1")
          .floating("tls.change_cipher_spec", 0, NONE, "Change cipher spec");
  public static final Field ALERT =
      TLS.source("RFC 8446, section 6").floating("tls.alert_message", 0, NONE, "Alert");
  public static final Field ALERT_LEVEL =
      TLS.floating(
          "tls.alert_message.level", 8, DECIMAL, "Level", ValueNames.from0("", "warning", "fatal"));
  public static final Field ALERT_DESCRIPTION =
      TLS.floating("tls.alert_message.desc", 8, DECIMAL, "Description", TlsNames.ALERTS);
  public static final Field HEARTBEAT =
      TLS.source("RFC 6520, section 4").floating("tls.heartbeat_message", 0, NONE, "Heartbeat");
  public static final Field HEARTBEAT_TYPE =
      TLS.floating(
          "tls.heartbeat_message.type",
          8,
          DECIMAL,
          "Type",
          ValueNames.from0("", "request", "response"));
  public static final Field HEARTBEAT_LENGTH =
      TLS.floating("tls.heartbeat_message.payload_length", 16, DECIMAL, "Payload length");
  public static final Field HEARTBEAT_PAYLOAD =
      TLS.floating("tls.heartbeat_message.payload", 0, BYTES, "Payload");
  public static final Field HEARTBEAT_PADDING =
      TLS.floating("tls.heartbeat_message.padding", 0, BYTES, "Padding");

  /** Bytes of the header of a record. */
  public static final int HEADER_BYTES = 5;

  private static final int FIRST_TYPE = 20;
  private static final int LAST_TYPE = 24;
  private static final int HANDSHAKE = 22;
  private static final int MAJOR_VERSION = 3;
  private static final int LAST_MINOR_VERSION = 4;

  /** RFC 5246, section 6.2.3: of a record that is encrypted, and was not compressed. */
  private static final int LENGTH_OFFSET = 3;

  private static final int MAX_BYTES = 16_384 + 2_048;

  private static final int[] PORTS = {
    324, 443, 465, 636, 802, 853, 993, 995, 1300, 2221, 2443, 3249, 3250, 3251, 3252, 3496, 5061,
    5671, 5684, 5868, 8883, 11207, 19999, 27017
  };

  static {
    TlsHandshake.declare();
    TLS.summary(
        "tls.record.content_type",
        "tls.handshake.type",
        "tls.handshake.extensions_server_name",
        "alpn=|tls.handshake.extensions_alpn_str",
        "tls.alert_message.desc");
  }

  @Override
  public Fields fields() {
    return TLS;
  }

  @Override
  public List<DispatchKey> keys() {
    return Arrays.stream(PORTS).mapToObj(DispatchTable.TCP_PORT::key).toList();
  }

  private static boolean isRecord(Scan scan) {
    return isRecord(scan.i32(0) >>> 8, scan.u16(LENGTH_OFFSET));
  }

  /**
   * Whether the header of a record is one.
   *
   * @param typeVersion its type, 8 bits, and version, 16 bits
   * @param bytes behind the header
   */
  public static boolean isRecord(int typeVersion, int bytes) {
    int type = (typeVersion >>> 16) & 0xFF;
    return type >= FIRST_TYPE
        && type <= LAST_TYPE
        && ((typeVersion >>> 8) & 0xFF) == MAJOR_VERSION
        && (typeVersion & 0xFF) <= LAST_MINOR_VERSION
        && bytes <= MAX_BYTES;
  }

  @Override
  public void scan(Scan scan) {
    if (!scan.has(0, HEADER_BYTES) || !isRecord(scan)) {
      scan.refuse();
      return;
    }
    scan.message(HEADER_BYTES + scan.u16(LENGTH_OFFSET));
    scan.next(this);
  }

  @Override
  public int messageBytes(Scan scan) {
    if (!scan.has(0, HEADER_BYTES)) {
      return 0;
    }
    return isRecord(scan) ? HEADER_BYTES + scan.u16(LENGTH_OFFSET) : UNKNOWN;
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.open(RECORD, dissection.left());
    dissection.fixed();
    int bytes = dissection.left();
    if (dissection.offset() == HEADER_BYTES && bytes > 0) {
      int type = (int) dissection.layer().value(CONTENT_TYPE);
      switch (type) {
        case FIRST_TYPE -> dissection.part(CHANGE_CIPHER_SPEC, bytes);
        case FIRST_TYPE + 1 -> alert(dissection, bytes);
        case HANDSHAKE -> TlsHandshake.dissect(dissection, (int) dissection.layer().value(VERSION));
        case LAST_TYPE -> heartbeat(dissection, bytes);
        default -> dissection.add(APPLICATION_DATA, bytes);
      }
    }
    dissection.close();
  }

  /** One that has other than two bytes is encrypted. */
  private static void alert(Dissection dissection, int bytes) {
    if (bytes != 2) {
      dissection.part(ALERT, bytes);
      return;
    }
    dissection.open(ALERT, bytes);
    dissection.add(ALERT_LEVEL);
    dissection.add(ALERT_DESCRIPTION);
    dissection.close();
  }

  /** One of another type, or with another length than there can be, is encrypted. */
  private static void heartbeat(Dissection dissection, int bytes) {
    int type = dissection.u8(0);
    boolean isPlain = bytes >= 3 && (type == 1 || type == 2) && dissection.u16(1) <= bytes - 3;
    if (!isPlain) {
      dissection.part(HEARTBEAT, bytes);
      return;
    }
    dissection.open(HEARTBEAT, bytes);
    dissection.add(HEARTBEAT_TYPE);
    dissection.add(HEARTBEAT_PAYLOAD, (int) dissection.add(HEARTBEAT_LENGTH));
    dissection.add(HEARTBEAT_PADDING, dissection.left());
    dissection.close();
  }
}
