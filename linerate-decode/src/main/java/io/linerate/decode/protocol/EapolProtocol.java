package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;

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

/** Messages of EAP on a link, and those that spread the keys of wireless networks. */
public final class EapolProtocol implements Protocol {
  /** Types of packets. */
  public static final DispatchTable TYPES = new DispatchTable("eapol.type");

  public static final Fields EAPOL =
      Fields.of("eapol", "802.1X Authentication", "IEEE 802.1X, clause 11.3");
  public static final Field VERSION = EAPOL.field("eapol.version", 8, DECIMAL, "Version");
  public static final Field TYPE =
      EAPOL.field(
          "eapol.type",
          8,
          DECIMAL,
          "Type",
          ValueNames.from0(
              "EAP packet",
              "Start",
              "Logoff",
              "Key",
              "Encapsulated ASF alert",
              "MKA",
              "Generic announcement",
              "Specific announcement",
              "Announcement request"));
  public static final Field LENGTH = EAPOL.field("eapol.len", 16, DECIMAL, "Length");
  private static final EapolKey KEY = new EapolKey(EAPOL);

  private static final int HEADER_BYTES = 4;
  private static final int START = 1;
  private static final int LOGOFF = 2;
  private static final int KEY_TYPE = 3;

  static {
    EAPOL.summary(TYPE);
  }

  @Override
  public Fields fields() {
    return EAPOL;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.ETHER_TYPE.key(EtherType.EAPOL));
  }

  @Override
  public void scan(Scan scan) {
    int type = scan.number(TYPE);
    int length = scan.number(LENGTH);
    scan.total(HEADER_BYTES + length);
    if (length > scan.claimedLength() - HEADER_BYTES) {
      scan.malformed();
    }
    if (type != START && type != LOGOFF && type != KEY_TYPE) {
      scan.header(HEADER_BYTES);
      scan.next(TYPES, type);
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    int type = dissection.u8(1);
    dissection.fixed();
    if (type == KEY_TYPE && dissection.left() > 0) {
      KEY.dissect(dissection);
    }
  }
}
