package io.linerate.decode.protocol;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Dissection;

/** Bytes that are text in UTF-8. */
final class TextBytes {
  private static final char REPLACEMENT = '\uFFFD';
  private static final String BASE64 =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  private static final String LETTERS = "abtnvfr";
  private static final int FIRST_LETTER = 7;

  private TextBytes() {}

  /** So many bytes behind the cursor in hexadecimal, with something between them. */
  static CharSequence hex(Dissection dissection, int count, String between) {
    StringBuilder text = dissection.text();
    for (int i = 0; i < count && dissection.has(i + 1); i++) {
      int value = dissection.u8(i);
      text.append(i == 0 ? "" : between)
          .append(Character.forDigit(value >>> 4, 16))
          .append(Character.forDigit(value & 0xF, 16));
    }
    return text;
  }

  /** Whether so many bytes, so far behind the cursor, are a text in ASCII. */
  static boolean matches(Dissection dissection, int ahead, int count, String text) {
    if (count != text.length()) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (dissection.u8(ahead + i) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Adds so many bytes from the cursor on; what is no UTF-8 is U+FFFD. */
  static void add(StringBuilder out, Dissection dissection, int count) {
    int at = dissection.layer().offset() + dissection.offset();
    int end = at + count;
    ByteView bytes = dissection.layer().bytes();
    while (at < end) {
      int value = bytes.u8(at);
      if (value >= 0x80) {
        at += add(out, bytes, at, end);
      } else {
        out.append((char) value);
        at++;
      }
    }
  }

  /**
   * Adds the characters that a text in Base64 stands for; RFC 4648, section 4.
   *
   * @return whether it is one
   */
  static boolean base64(Dissection dissection, int ahead, int end, StringBuilder out) {
    int bits = 0;
    int count = 0;
    for (int i = ahead; i < end && dissection.u8(i) != '='; i++) {
      int digit = BASE64.indexOf(dissection.u8(i));
      if (digit < 0) {
        return false;
      }
      bits = (bits << 6) | digit;
      count += 6;
      if (count >= Byte.SIZE) {
        count -= Byte.SIZE;
        out.append((char) ((bits >>> count) & 0xFF));
      }
    }
    return true;
  }

  /** Adds so many bytes from behind the cursor, as the other. */
  static void addEscaped(StringBuilder out, Dissection dissection, int ahead, int count) {
    int at = dissection.layer().offset() + dissection.offset() + ahead;
    addEscaped(out, dissection.layer().bytes(), at, count);
  }

  /**
   * Adds them; what is no UTF-8 is U+FFFD, and a control character is written as in C, by a letter
   * or three octal digits behind a backslash.
   */
  static void addEscaped(StringBuilder out, ByteView bytes, int from, int count) {
    int end = from + count;
    int at = from;
    while (at < end) {
      int value = bytes.u8(at);
      if (value >= 0x80) {
        at += add(out, bytes, at, end);
      } else {
        addAscii(out, value);
        at++;
      }
    }
  }

  private static void addAscii(StringBuilder out, int value) {
    if (value >= ' ' && value != 0x7F) {
      out.append((char) value);
      return;
    }
    out.append('\\');
    int letter = value - FIRST_LETTER;
    if (letter >= 0 && letter < LETTERS.length()) {
      out.append(LETTERS.charAt(letter));
    } else {
      out.append((char) ('0' + (value >>> 6)))
          .append((char) ('0' + ((value >>> 3) & 7)))
          .append((char) ('0' + (value & 7)));
    }
  }

  /** RFC 3629, section 4. */
  private static int add(StringBuilder out, ByteView bytes, int at, int end) {
    int first = bytes.u8(at);
    int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    int least = more == 3 ? 0x1_0000 : more == 2 ? 0x800 : 0x80;
    int point = first & (0x3F >>> more);
    boolean isSound = first >= 0xC2 && first < 0xF5 && more < end - at;
    for (int i = 1; isSound && i <= more; i++) {
      int next = bytes.u8(at + i);
      isSound = (next & 0xC0) == 0x80;
      point = (point << 6) | (next & 0x3F);
    }
    if (!isSound || point < least || point > Character.MAX_CODE_POINT || isSurrogate(point)) {
      out.append(REPLACEMENT);
      return 1;
    }
    out.appendCodePoint(point);
    return more + 1;
  }

  private static boolean isSurrogate(int point) {
    return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
  }
}
