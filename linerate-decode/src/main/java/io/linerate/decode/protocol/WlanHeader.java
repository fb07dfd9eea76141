package io.linerate.decode.protocol;

/**
 * Lengths of the header of IEEE 802.11, as its first two bytes say: clause 9.2.3 and 9.3.
 *
 * <pre>
 *  0 frame control, 2 duration, 4 address 1, 10 address 2, 16 address 3, 22 sequence,
 *  24 address 4 (if to and from the distribution system), QoS control, HT control
 * </pre>
 */
final class WlanHeader {
  static final int SEQUENCE_OFFSET = 22;
  static final int QOS_AGGREGATE = 0x80;

  private static final int TYPE_MANAGEMENT = 0;
  private static final int TYPE_CONTROL = 1;
  private static final int TYPE_DATA = 2;
  private static final int BYTES = 24;
  private static final int ONE_ADDRESS_BYTES = 10;
  private static final int TWO_ADDRESSES_BYTES = 16;
  private static final int ADDRESS_BYTES = 6;
  private static final int QOS_BYTES = 2;
  private static final int HT_BYTES = 4;
  private static final int QOS_SUBTYPE = 0x80;
  private static final int NO_DATA_SUBTYPE = 0x40;
  private static final int BOTH_DIRECTIONS = 3;
  private static final int MORE_FRAGMENTS = 0x04;
  private static final int PROTECTED = 0x40;
  private static final int ORDER = 0x80;

  private WlanHeader() {}

  static int type(int control) {
    return (control >>> 2) & 3;
  }

  static int typeAndSubtype(int control) {
    return (type(control) << 4) | (control >>> 4);
  }

  static boolean isProtected(int flags) {
    return (flags & PROTECTED) != 0;
  }

  static boolean hasMoreFragments(int flags) {
    return (flags & MORE_FRAGMENTS) != 0;
  }

  static boolean hasBothDirections(int flags) {
    return (flags & BOTH_DIRECTIONS) == BOTH_DIRECTIONS;
  }

  /** Whether it is one of data, with data. */
  static boolean hasData(int control, int flags) {
    return type(control) == TYPE_DATA && (control & NO_DATA_SUBTYPE) == 0;
  }

  /** Whether it is one of data, with QoS control. */
  static boolean isQos(int control) {
    return type(control) == TYPE_DATA && (control & QOS_SUBTYPE) != 0;
  }

  static boolean hasHtControl(int control, int flags) {
    return (flags & ORDER) != 0 && (type(control) == TYPE_MANAGEMENT || isQos(control));
  }

  static int qosOffset(int flags) {
    return BYTES + (hasBothDirections(flags) ? ADDRESS_BYTES : 0);
  }

  /** All of it; of control frames the part that all of a subtype have. */
  static int bytes(int control, int flags) {
    return switch (type(control)) {
      case TYPE_MANAGEMENT -> BYTES + (hasHtControl(control, flags) ? HT_BYTES : 0);
      case TYPE_CONTROL -> controlBytes(control >>> 4);
      case TYPE_DATA ->
          qosOffset(flags)
              + (isQos(control) ? QOS_BYTES : 0)
              + (hasHtControl(control, flags) ? HT_BYTES : 0);
      default -> 2;
    };
  }

  private static int controlBytes(int subtype) {
    return switch (subtype) {
      case 7, 12, 13 -> ONE_ADDRESS_BYTES;
      default -> TWO_ADDRESSES_BYTES;
    };
  }
}
