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
import java.util.List;
import java.util.Map;

/**
 * A record of DTLS up to version 1.2; each is a layer of its own. Of its handshake messages only
 * what TLS does not have is told.
 */
public final class DtlsProtocol implements Protocol {
  public static final Fields DTLS =
      Fields.of("dtls", "Datagram Transport Layer Security", "RFC 6347, section 4.1");
  public static final Field CONTENT_TYPE =
      DTLS.field(
          "dtls.record.content_type",
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
      DTLS.field("dtls.record.version", 16, HEX, "Version", TlsNames.VERSIONS);
  public static final Field EPOCH = DTLS.field("dtls.record.epoch", 16, DECIMAL, "Epoch");
  public static final Field SEQUENCE =
      DTLS.field("dtls.record.sequence_number", 48, DECIMAL, "Sequence number");
  public static final Field LENGTH = DTLS.field("dtls.record.length", 16, DECIMAL, "Length");
  public static final Field RECORD = DTLS.floating("dtls.record", 0, NONE, "Record");
  public static final Field APPLICATION_DATA =
      DTLS.floating("dtls.app_data", 0, BYTES, "Application data");
  public static final Field CHANGE_CIPHER_SPEC =
      DTLS.floating("dtls.change_cipher_spec", 0, NONE, "Change cipher spec");
  public static final Field ALERT =
      DTLS.source("RFC 5246, section 7.2").floating("dtls.alert_message", 0, NONE, "Alert");
  public static final Field ALERT_LEVEL =
      DTLS.floating("dtls.alert_message.level", 8, DECIMAL, "Level");
  public static final Field ALERT_DESCRIPTION =
      DTLS.floating("dtls.alert_message.desc", 8, DECIMAL, "Description", TlsNames.ALERTS);
  public static final Field HANDSHAKE =
      DTLS.source("RFC 6347, section 4.2.2")
          .floating("dtls.handshake", 0, NONE, "Handshake message");
  public static final Field MESSAGE_TYPE =
      DTLS.floating("dtls.handshake.type", 8, DECIMAL, "Message type", TlsNames.MESSAGES);
  public static final Field MESSAGE_LENGTH =
      DTLS.floating("dtls.handshake.length", 24, DECIMAL, "Message length");
  public static final Field MESSAGE_SEQUENCE =
      DTLS.floating("dtls.handshake.message_seq", 16, DECIMAL, "Message sequence");
  public static final Field FRAGMENT_OFFSET =
      DTLS.floating("dtls.handshake.fragment_offset", 24, DECIMAL, "Fragment offset");
  public static final Field FRAGMENT_LENGTH =
      DTLS.floating("dtls.handshake.fragment_length", 24, DECIMAL, "Fragment length");
  public static final Field HELLO_VERSION =
      DTLS.source("RFC 6347, section 4.2.1")
          .floating("dtls.handshake.version", 16, HEX, "Version", TlsNames.VERSIONS);
  public static final Field COOKIE_LENGTH =
      DTLS.floating("dtls.handshake.cookie_length", 8, DECIMAL, "Cookie length");
  public static final Field COOKIE = DTLS.floating("dtls.handshake.cookie", 0, BYTES, "Cookie");

  private static final int HEADER_BYTES = 13;
  private static final int MESSAGE_HEADER_BYTES = 12;
  private static final int FIRST_TYPE = 20;
  private static final int LAST_TYPE = 24;
  private static final int HANDSHAKE_TYPE = 22;
  private static final int RANDOM_BYTES = 32;

  /** Of versions 1.0 and 1.2: the complement of 1. */
  private static final int MAJOR_VERSION = 0xFE;

  static {
    DTLS.summary("dtls.record.content_type", "dtls.handshake.type", "dtls.alert_message.desc");
  }

  @Override
  public Fields fields() {
    return DTLS;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.UDP_PORT.key(853),
        DispatchTable.UDP_PORT.key(2221),
        DispatchTable.UDP_PORT.key(5684),
        DispatchTable.UDP_PORT.key(5868));
  }

  @Override
  public void scan(Scan scan) {
    int type = scan.u8(0);
    boolean isRecord = type >= FIRST_TYPE && type <= LAST_TYPE && scan.u8(1) == MAJOR_VERSION;
    boolean isBegun = scan.outer() != null && scan.outer().is(DTLS) && !scan.has(0, HEADER_BYTES);
    if (!isRecord && !isBegun) {
      scan.refuse();
      return;
    }
    scan.header(HEADER_BYTES + scan.number(LENGTH));
    scan.next(this);
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.open(RECORD, dissection.left());
    dissection.fixed();
    int bytes = dissection.left();
    if (bytes > 0) {
      int type = (int) dissection.layer().value(CONTENT_TYPE);
      boolean isPlain = dissection.layer().value(EPOCH) == 0;
      switch (type) {
        case FIRST_TYPE -> dissection.part(CHANGE_CIPHER_SPEC, bytes);
        case FIRST_TYPE + 1 -> alert(dissection, bytes);
        case HANDSHAKE_TYPE -> {
          if (isPlain) {
            messages(dissection);
          } else {
            dissection.part(HANDSHAKE, bytes);
          }
        }
        default -> dissection.add(APPLICATION_DATA, bytes);
      }
    }
    dissection.close();
  }

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

  private static void messages(Dissection dissection) {
    while (dissection.left() > 0) {
      if (!dissection.has(MESSAGE_HEADER_BYTES)) {
        dissection.skip(MESSAGE_HEADER_BYTES);
        return;
      }
      dissection.open(HANDSHAKE, dissection.left());
      int type = (int) dissection.add(MESSAGE_TYPE);
      dissection.add(MESSAGE_LENGTH);
      dissection.add(MESSAGE_SEQUENCE);
      boolean isFirst = dissection.add(FRAGMENT_OFFSET) == 0;
      int before = dissection.enter((int) dissection.add(FRAGMENT_LENGTH));
      if (isFirst) {
        hello(dissection, type);
      }
      dissection.leave(before);
      dissection.close();
    }
  }

  private static void hello(Dissection dissection, int type) {
    if (type < 1 || type > 3 || dissection.left() == 0) {
      return;
    }
    dissection.add(HELLO_VERSION);
    if (type == 1) {
      dissection.skip(RANDOM_BYTES);
      dissection.skip(1 + dissection.u8(0));
    }
    if (type != 2 && dissection.left() > 0) {
      TlsHandshake.bytes(dissection, COOKIE_LENGTH, COOKIE);
    }
  }
}
