package io.linerate.filter.code;

import io.linerate.filter.FilterException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * An IPv4 address whose last parts may have been left out.
 *
 * @param value it, with zeroes in their place
 * @param mask of the bits that were not left out
 */
record Ipv4Number(int value, int mask) {
  private static final int PARTS = 4;

  /** Null if a part is not decimal, or larger than 255. */
  static @Nullable Ipv4Number parse(String text) {
    String[] parts = text.split("\\.", -1);
    int value = 0;
    for (String part : parts) {
      int number = decimal(part);
      if (number > 0xFF) {
        return null;
      }
      value = (value << 8) | number;
    }
    int shift = 8 * (PARTS - parts.length);
    return new Ipv4Number(value << shift, 0xFFFF_FFFF << shift);
  }

  /** Area and node of DECnet in 16 bits. */
  static int decnet(String text, BiFunction<String, String, FilterException> wrong) {
    String[] parts = text.split("\\.", -1);
    int area = decimal(parts[0]);
    int node = decimal(parts[1]);
    if (area == Integer.MAX_VALUE || node == Integer.MAX_VALUE) {
      throw wrong.apply(text, "an address of DECnet such as 1.5");
    }
    return ((area << 10) & 0xFC00) | (node & 0x3FF);
  }

  /** The largest integer, if the text is no decimal number below it. */
  private static int decimal(String text) {
    long number = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return Integer.MAX_VALUE;
      }
      number = Math.min(Integer.MAX_VALUE, number * 10 + digit);
    }
    return (int) number;
  }
}
