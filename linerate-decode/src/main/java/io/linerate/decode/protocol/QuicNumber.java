package io.linerate.decode.protocol;

import io.linerate.decode.Dissection;

/** Numbers of 1, 2, 4 or 8 bytes, as their first two bits say; RFC 9000, section 16. */
final class QuicNumber {
  private static final int LENGTH_BITS = 2;

  private QuicNumber() {}

  /** How many bytes a number has, so far behind the cursor: 1 if it is not there. */
  static int bytes(Dissection dissection, int ahead) {
    return 1 << (dissection.u8(ahead) >>> (Byte.SIZE - LENGTH_BITS));
  }

  /** A number, so far behind the cursor: 0 if it is not there. */
  static long value(Dissection dissection, int ahead) {
    int bytes = bytes(dissection, ahead);
    long value = dissection.u8(ahead) & 0x3F;
    for (int i = 1; i < bytes; i++) {
      value = (value << Byte.SIZE) | dissection.u8(ahead + i);
    }
    return value;
  }
}
