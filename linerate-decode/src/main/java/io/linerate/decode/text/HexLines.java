package io.linerate.decode.text;

import io.linerate.core.memory.ByteView;

/** Bytes in hexadecimal and as characters, sixteen in a line. */
public final class HexLines {
  /** Bytes in a line. */
  public static final int BYTES = 16;

  private HexLines() {}

  /**
   * Adds the bytes of a line, and what of them can be printed, without an end of line.
   *
   * @param offset of the first
   */
  public static void add(TextBuffer out, ByteView bytes, int offset) {
    int count = Math.min(BYTES, bytes.length() - offset);
    for (int i = 0; i < BYTES; i++) {
      if (i < count) {
        out.add(' ').hex(bytes.u8(offset + i), 2);
      } else {
        out.add("   ");
      }
    }
    out.add("  ");
    for (int i = 0; i < count; i++) {
      int value = bytes.u8(offset + i);
      out.add(isPrintable(value) ? (char) value : '.');
    }
  }

  /** Whether a byte is a character of ASCII that takes a place of its own. */
  public static boolean isPrintable(int value) {
    return value >= ' ' && value < 0x7F;
  }
}
