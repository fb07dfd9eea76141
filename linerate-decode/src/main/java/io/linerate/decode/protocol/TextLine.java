package io.linerate.decode.protocol;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;

/** The line of a text that the cursor is at; it may end in CR LF, in LF, or where the text ends. */
final class TextLine {
  private TextLine() {}

  /** Bytes of it, with its end. */
  static int bytes(Dissection dissection) {
    int feed = dissection.indexOf('\n', 0);
    return feed < 0 ? dissection.left() : feed + 1;
  }

  /** Bytes of it without its end. */
  static int contentBytes(Dissection dissection, int bytes) {
    int count = bytes;
    if (count > 0 && dissection.u8(count - 1) == '\n') {
      count--;
      if (count > 0 && dissection.u8(count - 1) == '\r') {
        count--;
      }
    }
    return count;
  }

  /** Where, from a place in it on, the next byte of a value is; where it ends if there is none. */
  static int find(Dissection dissection, int value, int ahead, int end) {
    int at = ahead;
    // Not by indexOf: that goes on to the end of all lines.
    while (at < end && dissection.u8(at) != value) {
      at++;
    }
    return at;
  }

  /** Where the first byte is, from a place in it on, that is neither a space nor a tab. */
  static int afterSpace(Dissection dissection, int ahead, int end) {
    int at = ahead;
    while (at < end && isSpace(dissection.u8(at))) {
      at++;
    }
    return at;
  }

  /** Where what ends at a place ends without the spaces and tabs at its end. */
  static int beforeSpace(Dissection dissection, int ahead, int end) {
    int at = end;
    while (at > ahead && isSpace(dissection.u8(at - 1))) {
      at--;
    }
    return at;
  }

  private static boolean isSpace(int value) {
    return value == ' ' || value == '\t';
  }

  /**
   * Says what the parts of a text are that something separates; spaces before them are left out.
   */
  static void parts(Dissection dissection, Field field, int separator, int ahead, int end) {
    int at = ahead;
    while (at < end) {
      int from = afterSpace(dissection, at, end);
      int to = find(dissection, separator, from, end);
      dissection.bytes(field, from, to - from);
      at = to + 1;
    }
  }

  /**
   * The number that a text is, in decimal.
   *
   * @return -1 if it is none
   */
  static long number(Dissection dissection, int ahead, int end) {
    long value = 0;
    for (int i = ahead; i < end; i++) {
      int digit = dissection.u8(i) - '0';
      if (digit < 0 || digit > 9 || i - ahead > 17) {
        return -1;
      }
      value = 10 * value + digit;
    }
    return end > ahead ? value : -1;
  }
}
