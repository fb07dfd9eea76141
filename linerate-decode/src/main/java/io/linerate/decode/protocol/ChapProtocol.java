package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import java.util.List;

/** A challenge, the response to it, and what became of it. */
public final class ChapProtocol implements Protocol {
  public static final Fields CHAP =
      Fields.of("chap", "PPP Challenge Handshake Authentication Protocol", "RFC 1994, section 4");
  public static final Field CODE =
      CHAP.field(
          "chap.code",
          8,
          DECIMAL,
          "Code",
          ValueNames.from0("", "Challenge", "Response", "Success", "Failure"));
  public static final Field IDENTIFIER = CHAP.field("chap.identifier", 8, DECIMAL, "Identifier");
  public static final Field LENGTH = CHAP.field("chap.length", 16, DECIMAL, "Length");
  public static final Field DATA = CHAP.floating("chap.data", 0, NONE, "Data");
  public static final Field VALUE_SIZE =
      CHAP.floating("chap.value_size", 8, DECIMAL, "Length of the value");
  public static final Field VALUE = CHAP.floating("chap.value", 0, BYTES, "Value");
  public static final Field NAME = CHAP.floating("chap.name", 0, TEXT, "Name");
  public static final Field MESSAGE = CHAP.floating("chap.message", 0, TEXT, "Message");
  public static final Field REST = CHAP.floating("chap.stuff", 0, BYTES, "Other data");

  static {
    CHAP.summary(CODE, NAME);
  }

  @Override
  public Fields fields() {
    return CHAP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.PPP_PROTOCOL.key(0xC223));
  }

  @Override
  public void scan(Scan scan) {
    PppControl.scan(scan, scan.number(LENGTH));
  }

  @Override
  public void dissect(Dissection dissection) {
    int code = dissection.u8(0);
    dissection.fixed();
    if (dissection.left() == 0) {
      return;
    }
    switch (code) {
      case 1, 2 -> {
        dissection.open(DATA, dissection.left());
        int size = (int) dissection.add(VALUE_SIZE);
        if (size > 0) {
          dissection.add(VALUE, size);
        }
        dissection.addLeft(NAME);
        dissection.close();
      }
      case 3, 4 -> dissection.addLeft(MESSAGE);
      default -> dissection.addLeft(REST);
    }
  }
}
