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

/** A message of STUN, or of TURN. */
public final class StunProtocol implements Protocol {
  public static final Fields STUN =
      Fields.of("stun", "Session Traversal Utilities for NAT", "RFC 8489, section 5");
  public static final Field TYPE = STUN.field("stun.type", 16, HEX, "Type");
  public static final Field CLASS =
      STUN.floating(
          "stun.type.class",
          16,
          HEX,
          "Class",
          ValueNames.of(
              Map.of(
                  0,
                  "request",
                  1,
                  "indication",
                  0x10,
                  "success response",
                  0x11,
                  "error response")));
  public static final Field METHOD =
      STUN.floating(
          "stun.type.method",
          16,
          HEX,
          "Method",
          ValueNames.from0(
              "",
              "binding",
              "shared secret",
              "allocate",
              "refresh",
              "",
              "send",
              "data",
              "create permission",
              "channel bind"));
  public static final Field ASSIGNMENT =
      STUN.part("stun.type.method-assignment", 2, 1, 16, HEX, "Method's assignment");
  public static final Field LENGTH = STUN.field("stun.length", 16, DECIMAL, "Length");
  public static final Field COOKIE = STUN.field("stun.cookie", 32, BYTES, "Magic cookie");
  public static final Field TRANSACTION = STUN.field("stun.id", 96, BYTES, "Transaction");
  public static final Field ATTRIBUTES = STUN.floating("stun.attributes", 0, NONE, "Attributes");

  private static final int HEADER_BYTES = 20;
  private static final int MAGIC = 0x2112_A442;
  private static final int CLASS_BITS = 0x0110;
  private static final int METHOD_BITS = 0x3EEF;

  static {
    StunAttributes.declare();
    STUN.summary(
        "stun.type.method",
        "stun.type.class",
        "user=|stun.att.username",
        "mapped=|stun.att.ipv4",
        "mapped=|stun.att.ipv4-xord",
        "mapped=|stun.att.ipv6-xord",
        "error=|stun.att.error.class",
        "stun.att.error.reason");
  }

  @Override
  public Fields fields() {
    return STUN;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(3478), DispatchTable.TCP_PORT.key(3478));
  }

  private static boolean isMessage(Scan scan) {
    return scan.u8(0) < 0x40 && scan.i32(4) == MAGIC && (scan.number(LENGTH) & 3) == 0;
  }

  @Override
  public void scan(Scan scan) {
    if (!scan.has(0, HEADER_BYTES) || !isMessage(scan)) {
      scan.refuse();
      return;
    }
    scan.message(HEADER_BYTES + scan.number(LENGTH));
    scan.next(this);
  }

  @Override
  public int messageBytes(Scan scan) {
    if (!scan.has(0, Long.BYTES)) {
      return 0;
    }
    return isMessage(scan) ? HEADER_BYTES + scan.number(LENGTH) : UNKNOWN;
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed(TYPE);
    int type = (int) dissection.layer().value(TYPE);
    dissection.value(CLASS, (type & CLASS_BITS) >>> 4, -2, 2);
    dissection.value(METHOD, type & METHOD_BITS, -2, 2);
    dissection.fixed(ASSIGNMENT);
    dissection.fixed(LENGTH);
    dissection.fixed(COOKIE);
    dissection.fixed(TRANSACTION);
    int left = dissection.left();
    if (left > 0) {
      dissection.open(ATTRIBUTES, left);
      StunAttributes.dissect(dissection);
      dissection.close();
    }
  }
}
