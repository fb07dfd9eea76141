package io.linerate.wire;

/**
 * IPv4 addresses as text: 32 bits in an {@code int}, the first byte in the highest bits. Not for
 * the packet path. Names are never looked up.
 */
public final class Ipv4Address {
  private static final int PARTS = 4;

  private Ipv4Address() {}

  /** The form {@code 192.0.2.1}. */
  public static String format(int address) {
    return (address >>> 24)
        + "."
        + (address >>> 16 & 0xFF)
        + "."
        + (address >>> 8 & 0xFF)
        + "."
        + (address & 0xFF);
  }

  /**
   * Reads four decimal numbers from 0 to 255, separated by dots. Leading zeros are refused: some
   * programs read them as octal.
   *
   * @throws IllegalArgumentException for anything else
   */
  public static int parse(String text) {
    int address = 0;
    int at = 0;
    for (int part = 0; part < PARTS; part++) {
      if (part > 0) {
        if (at >= text.length() || text.charAt(at) != '.') {
          throw malformed(text);
        }
        at++;
      }
      int start = at;
      int value = 0;
      while (at < text.length() && at < start + 3 && isDigit(text.charAt(at))) {
        value = 10 * value + text.charAt(at) - '0';
        at++;
      }
      boolean leadingZero = at > start + 1 && text.charAt(start) == '0';
      if (at == start || value > 255 || leadingZero) {
        throw malformed(text);
      }
      address = address << 8 | value;
    }
    if (at != text.length()) {
      throw malformed(text);
    }
    return address;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        "not an IPv4 address: text="
            + text
            + "; write four numbers from 0 to 255 without leading zeros, such as 192.0.2.1");
  }
}
