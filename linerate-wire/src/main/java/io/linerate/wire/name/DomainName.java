package io.linerate.wire.name;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * A name of a host as it is compared: lower case (RFC 4343), without a dot at its end, at most
 * {@value #MAX_BYTES} bytes. It is of the reader that has found it, until that reads again.
 */
public final class DomainName {
  /** Of a name with dots between its labels: RFC 1035, section 2.3.4. */
  public static final int MAX_BYTES = 253;

  /** A dot within a label: no byte, so that it does not pass for one between labels. */
  public static final int LABEL_DOT = 0x100 | '.';

  private final char[] symbols = new char[MAX_BYTES];
  private int length;

  DomainName() {}

  /**
   * A name that is not read from a packet.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static DomainName of(String text) {
    DomainName name = new DomainName();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      if (!name.add(each & 0xFF)) {
        throw notOne(text);
      }
    }
    if (!name.finish()) {
      throw notOne(text);
    }
    return name;
  }

  private static IllegalArgumentException notOne(String text) {
    return new IllegalArgumentException(
        "not a name of a host: name=" + text + "; write one such as www.example.org");
  }

  public int length() {
    return length;
  }

  /** One of its bytes, 0 to 255, or {@link #LABEL_DOT}. */
  public int symbol(int index) {
    return symbols[Objects.checkIndex(index, length)];
  }

  /** Whether a dot is within a label: there are servers that take it for one between labels. */
  public boolean hasLabelDot() {
    boolean isThere = false;
    for (int i = 0; i < length; i++) {
      isThere |= symbols[i] == LABEL_DOT;
    }
    return isThere;
  }

  void clear() {
    length = 0;
  }

  /** Adds any symbol, as labels of DNS may have it; false if there is no room. */
  boolean addAny(int value) {
    if (length == MAX_BYTES) {
      return false;
    }
    symbols[length++] = (char) (value >= 'A' && value <= 'Z' ? value | 0x20 : value);
    return true;
  }

  /** Adds a byte that names have in a text; false if it is none, or there is no room. */
  boolean add(int value) {
    boolean isLetter = (value | 0x20) >= 'a' && (value | 0x20) <= 'z';
    boolean isDigit = value >= '0' && value <= '9';
    boolean isOther = value == '-' || value == '.' || value == '_' || value == ':' || value > 0x7F;
    if (value == '.' && length == MAX_BYTES) {
      return symbols[length - 1] != '.'; // The one that is ignored.
    }
    return (isLetter || isDigit || isOther) && addAny(value);
  }

  /** Ends it: false if a label is empty. */
  boolean finish() {
    if (length > 0 && symbols[length - 1] == '.') {
      length--;
    }
    boolean isAfterDot = true;
    for (int i = 0; i < length; i++) {
      if (symbols[i] == '.' && isAfterDot) {
        return false;
      }
      isAfterDot = symbols[i] == '.';
    }
    return !isAfterDot;
  }

  void copy(DomainName other) {
    length = other.length;
    System.arraycopy(other.symbols, 0, symbols, 0, length);
  }

  boolean isSame(DomainName other) {
    return Arrays.equals(symbols, 0, length, other.symbols, 0, other.length);
  }

  /**
   * The name as a text; what is not ASCII as in UTF-8. A dot within a label, and a backslash, have
   * a backslash before them (RFC 1035, section 5.1).
   */
  @Override
  public String toString() {
    ByteArrayOutputStream text = new ByteArrayOutputStream(length);
    for (int i = 0; i < length; i++) {
      if (symbols[i] == LABEL_DOT || symbols[i] == '\\') {
        text.write('\\');
      }
      text.write(symbols[i]); // The lower eight bits.
    }
    return text.toString(StandardCharsets.UTF_8);
  }
}
