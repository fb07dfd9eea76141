package io.linerate.decode.text;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Text in UTF-8 that grows at its end; made once, and used again. */
public final class TextBuffer {
  private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final int DECIMAL_DIGITS = 20;
  private static final int FIRST_BYTES = 256;
  private static final int DELETE = 0x7F;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int length;

  /** Bytes of the text. */
  public int length() {
    return length;
  }

  /** Leaves so many bytes of it. */
  public void length(int newLength) {
    if (newLength < 0 || newLength > length) {
      throw new IllegalArgumentException(
          "text cannot be cut there: length=%d, wanted=%d".formatted(length, newLength));
    }
    length = newLength;
  }

  /** Empties it. */
  public TextBuffer clear() {
    length = 0;
    return this;
  }

  private void require(int count) {
    if (bytes.length - length < count) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
    }
  }

  /** A character of ASCII. */
  public TextBuffer add(char ascii) {
    require(1);
    bytes[length++] = (byte) ascii;
    return this;
  }

  /** One byte of UTF-8. */
  public TextBuffer addByte(int value) {
    require(1);
    bytes[length++] = (byte) value;
    return this;
  }

  /** A text: a character of ASCII each, or any. */
  public TextBuffer add(CharSequence text) {
    int count = text.length();
    require(count);
    int before = length;
    for (int i = 0; i < count; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        length = before;
        return addAny(text.toString());
      }
      bytes[length++] = (byte) c;
    }
    return this;
  }

  /** A text from a character on. */
  public TextBuffer add(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      add(text.charAt(i));
    }
    return this;
  }

  private TextBuffer addAny(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    require(encoded.length);
    System.arraycopy(encoded, 0, bytes, length, encoded.length);
    length += encoded.length;
    return this;
  }

  /** Another text. */
  public TextBuffer add(TextBuffer other) {
    require(other.length);
    System.arraycopy(other.bytes, 0, bytes, length, other.length);
    length += other.length;
    return this;
  }

  /** Another text, in which characters that end a line or move along it are written as in Java. */
  public TextBuffer addEscaped(TextBuffer other) {
    int plain = other.plain();
    if (plain == other.length) {
      return add(other);
    }
    for (int i = 0; i < other.length; i++) {
      byte value = other.bytes[i];
      char letter = value >= ' ' || value < 0 ? 0 : letter(value);
      if (letter == 0) {
        addByte(value);
      } else {
        add('\\').add(letter);
      }
    }
    return this;
  }

  /** Whether there is nothing from an offset on but characters of ASCII that are shown. */
  boolean isPlain(int from) {
    for (int i = from; i < length; i++) {
      if (bytes[i] < ' ' || bytes[i] == DELETE) {
        return false;
      }
    }
    return true;
  }

  /** Whether what stands from an offset on is what stands between two others. */
  boolean isRepeated(int before, int end, int from) {
    return Arrays.equals(bytes, before, end, bytes, from, length);
  }

  /** What stands there from an offset on. */
  String text(int from) {
    return new String(bytes, from, length - from, StandardCharsets.UTF_8);
  }

  /** Leaves whole characters of so many bytes from an offset on at most, and dots for more. */
  void cut(int from, int maxBytes) {
    if (length - from <= maxBytes) {
      return;
    }
    int end = from + maxBytes;
    while (end > from && (bytes[end] & 0xC0) == 0x80) {
      end--;
    }
    length = end;
    add("...");
  }

  /** Bytes up to the first that is a control character. */
  private int plain() {
    for (int i = 0; i < length; i++) {
      if (bytes[i] >= 0 && bytes[i] < ' ') {
        return i;
      }
    }
    return length;
  }

  private static char letter(byte control) {
    return switch (control) {
      case '\b' -> 'b';
      case '\t' -> 't';
      case '\n' -> 'n';
      case '\f' -> 'f';
      case '\r' -> 'r';
      default -> 0;
    };
  }

  /** A number in decimal. */
  public TextBuffer decimal(long value) {
    if (value < 0) {
      return value == Long.MIN_VALUE ? add(Long.toString(value)) : add('-').decimal(-value);
    }
    if (value < 10) {
      return add((char) ('0' + value));
    }
    require(DECIMAL_DIGITS);
    int end = length + digits(value);
    length = end;
    for (long left = value; left != 0; left /= 10) {
      bytes[--end] = (byte) ('0' + left % 10);
    }
    return this;
  }

  private static int digits(long value) {
    int count = 1;
    for (long limit = 10; count < 19 && value >= limit; limit *= 10) {
      count++;
    }
    return count;
  }

  /** A number of 64 bits without sign, in decimal. */
  public TextBuffer unsigned(long value) {
    return value >= 0 ? decimal(value) : add(Long.toUnsignedString(value));
  }

  /** A number in decimal with zeros in front, if it has fewer digits. */
  public TextBuffer decimal(long value, int digits) {
    long limit = 10;
    int count = 1;
    for (; value >= limit && count < 19; limit *= 10) {
      count++;
    }
    for (; count < digits; count++) {
      add('0');
    }
    return decimal(value);
  }

  /** The last digits of a number in hexadecimal. */
  public TextBuffer hex(long value, int digits) {
    require(digits);
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
      bytes[length++] = DIGITS[(int) (value >>> shift) & 0xF];
    }
    return this;
  }

  /** Writes it to a stream. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, length);
  }

  @Override
  public String toString() {
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
