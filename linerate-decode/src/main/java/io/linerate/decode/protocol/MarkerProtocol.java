package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.MAC;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import java.util.List;

/** Asks whether all frames before it have arrived, and answers. */
public final class MarkerProtocol implements Protocol {
  public static final Fields MARKER =
      Fields.of("marker", "Link Aggregation Marker Protocol", "IEEE 802.1AX, clause 6.5.3");
  public static final Field VERSION = MARKER.field("marker.version", 8, HEX, "Version");
  public static final Field TYPE = MARKER.floating("marker.tlvType", 8, HEX, "Type");
  public static final Field LENGTH = MARKER.floating("marker.tlvLen", 8, HEX, "Length");
  public static final Field PORT = MARKER.floating("marker.requesterPort", 16, DECIMAL, "Port");
  public static final Field SYSTEM = MARKER.floating("marker.requesterSystem", 48, MAC, "System");
  public static final Field TRANSACTION =
      MARKER.floating("marker.requesterTransId", 32, DECIMAL, "Transaction");
  public static final Field PADDING =
      MARKER.floating("marker.requesterPad", 16, DECIMAL, "Padding");
  public static final Field RESERVED = MARKER.floating("marker.reserved", 0, BYTES, "Reserved");

  private static final int SUBTYPE = 2;

  /** IEEE 802.1AX, clause 6.5.3.3: with its type and length. */
  private static final int INFORMATION_BYTES = 16;

  static {
    MARKER.summary(TRANSACTION);
  }

  @Override
  public Fields fields() {
    return MARKER;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(SlowProtocol.SUBTYPES.key(SUBTYPE));
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    long type = dissection.add(TYPE);
    if (dissection.add(LENGTH) != INFORMATION_BYTES || type < 1 || type > 2) {
      dissection.malformed();
    }
    dissection.add(PORT);
    dissection.add(SYSTEM);
    dissection.add(TRANSACTION);
    dissection.add(PADDING);
    if ((dissection.add(TYPE) | dissection.add(LENGTH)) != 0) {
      dissection.malformed(); // No terminator.
    }
    dissection.addLeft(RESERVED);
  }
}
