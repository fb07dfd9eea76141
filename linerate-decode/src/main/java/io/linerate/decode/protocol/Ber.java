package io.linerate.decode.protocol;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Scan;

/** Values of ASN.1 behind their tags and lengths; ITU-T X.690, section 8.1. */
final class Ber {
  static final int INTEGER = 2;
  static final int OCTETS = 4;
  static final int NULL = 5;
  static final int OBJECT = 6;
  static final int SEQUENCE = 0x30;

  private static final int LONG_FORM = 0x80;
  private static final int MOST_LENGTH_BYTES = 4;

  private Ber() {}

  /** Bytes of the tag and the length at the cursor; 0 if they are not there. */
  static int headerBytes(Dissection dissection) {
    if (!dissection.has(2)) {
      return 0;
    }
    int first = dissection.u8(1);
    int more = first > LONG_FORM ? first - LONG_FORM : 0;
    return first == LONG_FORM || more > MOST_LENGTH_BYTES || !dissection.has(2 + more)
        ? 0
        : 2 + more;
  }

  /** Bytes of the value at the cursor, behind such a header. */
  static int contentBytes(Dissection dissection, int headerBytes) {
    if (headerBytes <= 2) {
      return headerBytes == 0 ? 0 : dissection.u8(1);
    }
    long length = 0;
    for (int i = 2; i < headerBytes; i++) {
      length = (length << Byte.SIZE) | dissection.u8(i);
    }
    return (int) Math.min(length, Integer.MAX_VALUE - headerBytes);
  }

  /**
   * Enters the value at the cursor, if it has a tag.
   *
   * @return what {@link Dissection#leave} wants; -1 if it is another or not there: the layer is
   *     marked then, and nothing is left
   */
  static int enter(Dissection dissection, int tag) {
    int header = headerBytes(dissection);
    int bytes = contentBytes(dissection, header);
    if (header == 0 || !dissection.has(header + bytes) || dissection.u8(0) != tag) {
      dissection.skip(dissection.left() + 1);
      return -1;
    }
    dissection.skip(header);
    return dissection.enter(bytes);
  }

  /**
   * Says what the integer at the cursor is.
   *
   * @return its value, 0 if it is none
   */
  static long integer(Dissection dissection, Field field) {
    int before = enter(dissection, INTEGER);
    if (before < 0) {
      return 0;
    }
    long value = signed(dissection);
    int bytes = dissection.left();
    dissection.value(field, value, 0, bytes);
    dissection.leave(before);
    return value;
  }

  /** All that is left as a number in two's complement; its last eight bytes, if it has more. */
  static long signed(Dissection dissection) {
    long value = dissection.left() > 0 ? (byte) dissection.u8(0) : 0;
    for (int i = 1; i < dissection.left(); i++) {
      value = (value << Byte.SIZE) | dissection.u8(i);
    }
    return value;
  }

  /** Says what the value at the cursor is, which has a tag. */
  static void bytes(Dissection dissection, int tag, Field field) {
    int before = enter(dissection, tag);
    if (before >= 0) {
      dissection.add(field, dissection.left());
      dissection.leave(before);
    }
  }

  /**
   * Bytes of a value that is scanned, with its tag and length.
   *
   * @return 0 if more has to come before it can be told; -1 if it has another tag, or no such
   *     length
   */
  static int bytes(Scan scan, int tag) {
    if (!scan.has(0, 2)) {
      return 0;
    }
    int first = scan.u8(1);
    int more = first > LONG_FORM ? first - LONG_FORM : 0;
    if (scan.u8(0) != tag || first == LONG_FORM || more > MOST_LENGTH_BYTES) {
      return -1;
    }
    if (!scan.has(2, more)) {
      return 0;
    }
    long length = more == 0 ? first : 0;
    for (int i = 0; i < more; i++) {
      length = (length << Byte.SIZE) | scan.u8(2 + i);
    }
    return (int) Math.min(2 + more + length, Integer.MAX_VALUE);
  }
}
