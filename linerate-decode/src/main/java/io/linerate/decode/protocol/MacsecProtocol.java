package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.MAC;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.EtherType;
import java.util.List;

/**
 * The security tag of a frame of Ethernet, and the check value at its end. What is between is
 * encrypted, or begins with an ether type.
 */
public final class MacsecProtocol implements Protocol {
  public static final Fields MACSEC =
      Fields.of("macsec", "802.1AE Security tag", "IEEE 802.1AE, clause 9");
  public static final Field CONTROL =
      MACSEC.part("macsec.TCI", 0, 6, 8, HEX, "Tag control information");
  public static final Field VERSION = MACSEC.part("macsec.TCI.V", 0, 1, 8, HEX, "Version");
  public static final Field END_STATION =
      MACSEC.part("macsec.TCI.ES", 1, 1, 8, FLAG, "End station");
  public static final Field HAS_CHANNEL =
      MACSEC.part("macsec.TCI.SC", 2, 1, 8, FLAG, "Secure channel present");
  public static final Field BROADCAST =
      MACSEC.part("macsec.TCI.SCB", 3, 1, 8, FLAG, "Single copy broadcast");
  public static final Field ENCRYPTED = MACSEC.part("macsec.TCI.E", 4, 1, 8, FLAG, "Encrypted");
  public static final Field CHANGED = MACSEC.part("macsec.TCI.C", 5, 1, 8, FLAG, "Changed text");
  public static final Field ASSOCIATION =
      MACSEC.part("macsec.AN", 6, 2, 8, HEX, "Association number");
  public static final Field SHORT_LENGTH =
      MACSEC.at(1).field("macsec.SL", 8, DECIMAL, "Length, if short");
  public static final Field PACKET_NUMBER = MACSEC.field("macsec.PN", 32, DECIMAL, "Packet number");
  public static final Field SYSTEM =
      MACSEC.floating("macsec.SCI.system_identifier", 48, MAC, "System of the channel");
  public static final Field PORT =
      MACSEC.floating("macsec.SCI.port_identifier", 16, DECIMAL, "Port of the channel");
  public static final Field TYPE =
      MACSEC.floating("macsec.etype", 16, HEX, "Ether type", NumberNames.ETHER_TYPES);
  public static final Field CHECK_VALUE =
      MACSEC.floating("macsec.ICV", 0, BYTES, "Integrity check value");
  public static final Field PADDING = MACSEC.floating("eth.padding", 0, BYTES, "Padding");

  private static final int TAG_BYTES = 6;
  private static final int CHANNEL_BYTES = 8;

  /** Of all cipher suites of the standard. */
  private static final int CHECK_VALUE_BYTES = 16;

  private static final int CHANNEL_FLAG = 0x20;
  private static final int HIDDEN_FLAGS = 0x0C;

  static {
    MACSEC.summary(ENCRYPTED, PACKET_NUMBER);
  }

  @Override
  public Fields fields() {
    return MACSEC;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.ETHER_TYPE.key(EtherType.MACSEC));
  }

  @Override
  public void scan(Scan scan) {
    int flags = scan.u8(0);
    int shortLength = scan.number(SHORT_LENGTH) & 0x3F;
    int tagBytes = tagBytes(flags);
    boolean isHidden = (flags & HIDDEN_FLAGS) != 0;
    int type = isHidden ? 0 : scan.u16(tagBytes);
    scan.header(isHidden ? tagBytes : tagBytes + 2);
    int checkValue =
        shortLength == 0 ? scan.claimedLength() - CHECK_VALUE_BYTES : tagBytes + shortLength;
    if (checkValue < tagBytes) {
      scan.malformed();
    }
    scan.trailer(checkValue);
    if (type >= EtherType.MIN) {
      scan.next(DispatchTable.ETHER_TYPE, type);
    }
  }

  private static int tagBytes(int flags) {
    return (flags & CHANNEL_FLAG) != 0 ? TAG_BYTES + CHANNEL_BYTES : TAG_BYTES;
  }

  @Override
  public void dissect(Dissection dissection) {
    int flags = dissection.u8(0);
    dissection.fixed();
    if ((flags & CHANNEL_FLAG) != 0) {
      dissection.add(SYSTEM);
      dissection.add(PORT);
    }
    if (dissection.left() >= 2) {
      dissection.add(TYPE);
    }
    dissection.trailer();
    if (dissection.left() > 0) {
      dissection.add(CHECK_VALUE, Math.min(dissection.left(), CHECK_VALUE_BYTES));
    }
    dissection.addLeft(PADDING);
  }
}
