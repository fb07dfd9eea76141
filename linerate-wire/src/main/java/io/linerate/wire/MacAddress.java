package io.linerate.wire;

import java.util.HexFormat;

/** MAC addresses as text: 48 bits in a {@code long}. Not for the packet path. */
public final class MacAddress {
  public static final long BROADCAST = 0xFFFF_FFFF_FFFFL;

  /** The largest address. */
  public static final long MAX = 0xFFFF_FFFF_FFFFL;

  private static final int GROUPS = 6;

  private MacAddress() {}

  /** Whether frames to it may have several receivers: the group bit of IEEE 802, the broadcast. */
  public static boolean isMulticast(long address) {
    return (address & 0x0100_0000_0000L) != 0;
  }

  /** The form {@code 02:00:5e:10:00:01}. */
  public static String format(long address) {
    FieldRange.check("MAC address", address, MAX);
    StringBuilder text = new StringBuilder(17);
    for (int i = 0; i < GROUPS; i++) {
      if (i > 0) {
        text.append(':');
      }
      text.append(HexFormat.of().toHexDigits(address >>> (8 * (GROUPS - 1 - i)), 2));
    }
    return text.toString();
  }

  /**
   * Reads six groups of two hexadecimal digits, all separated by colons or all by hyphens.
   *
   * @throws IllegalArgumentException for anything else
   */
  public static long parse(String text) {
    if (text.length() != 3 * GROUPS - 1) {
      throw malformed(text);
    }
    char separator = text.charAt(2);
    if (separator != ':' && separator != '-') {
      throw malformed(text);
    }
    long address = 0;
    for (int i = 0; i < GROUPS; i++) {
      int at = 3 * i;
      if (i > 0 && text.charAt(at - 1) != separator) {
        throw malformed(text);
      }
      address = address << 8 | digit(text, at) << 4 | digit(text, at + 1);
    }
    return address;
  }

  private static int digit(String text, int index) {
    char digit = text.charAt(index);
    if (!HexFormat.isHexDigit(digit)) {
      throw malformed(text);
    }
    return HexFormat.fromHexDigit(digit);
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        "not a MAC address: text=" + text + "; write it as 02:00:5e:10:00:01");
  }
}
