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

/** A name and a password, in the clear, and the answer to them. */
public final class PapProtocol implements Protocol {
  public static final Fields PAP =
      Fields.of("pap", "PPP Password Authentication Protocol", "RFC 1334, section 2.2");
  public static final Field CODE =
      PAP.field(
          "pap.code",
          8,
          DECIMAL,
          "Code",
          ValueNames.from0("", "Authenticate request", "Authenticate ack", "Authenticate nak"));
  public static final Field IDENTIFIER = PAP.field("pap.identifier", 8, DECIMAL, "Identifier");
  public static final Field LENGTH = PAP.field("pap.length", 16, DECIMAL, "Length");
  public static final Field DATA = PAP.floating("pap.data", 0, NONE, "Data");
  public static final Field PEER_LENGTH =
      PAP.floating("pap.peer_id.length", 8, DECIMAL, "Length of the name");
  public static final Field PEER = PAP.floating("pap.peer_id", 0, TEXT, "Name");
  public static final Field PASSWORD_LENGTH =
      PAP.floating("pap.password.length", 8, DECIMAL, "Length of the password");
  public static final Field PASSWORD = PAP.floating("pap.password", 0, TEXT, "Password");
  public static final Field MESSAGE_LENGTH =
      PAP.floating("pap.message.length", 8, DECIMAL, "Length of the message");
  public static final Field MESSAGE = PAP.floating("pap.message", 0, TEXT, "Message");
  public static final Field REST = PAP.floating("pap.stuff", 0, BYTES, "Other data");

  private static final int REQUEST = 1;
  private static final int NAK = 3;

  static {
    PAP.summary(CODE, PEER);
  }

  @Override
  public Fields fields() {
    return PAP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.PPP_PROTOCOL.key(0xC023));
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
    if (code < REQUEST || code > NAK) {
      dissection.addLeft(REST);
      return;
    }
    dissection.open(DATA, dissection.left());
    if (code == REQUEST) {
      text(dissection, PEER_LENGTH, PEER);
      text(dissection, PASSWORD_LENGTH, PASSWORD);
    } else {
      text(dissection, MESSAGE_LENGTH, MESSAGE);
    }
    dissection.close();
  }

  private static void text(Dissection dissection, Field length, Field text) {
    int count = (int) dissection.add(length);
    if (count > 0) {
      dissection.add(text, count);
    }
  }
}
