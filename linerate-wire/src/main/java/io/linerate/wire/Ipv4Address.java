package io.linerate.wire;

import java.util.Collections;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * IPv4 addresses: 32 bits in an {@code int}, the first byte in the highest bits. Text is not for
 * the packet path; names are never looked up.
 */
public final class Ipv4Address {
  private static final int PARTS = 4;
  private static final String PART = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
  private static final Pattern FORM =
      Pattern.compile(String.join("\\.", Collections.nCopies(PARTS, PART)));

  private Ipv4Address() {}

  /**
   * Whether it may be the address of a single host: it is neither in 0.0.0.0/8, 127.0.0.0/8 nor
   * 224.0.0.0/3 (RFC 1122, section 3.2.1.3).
   */
  public static boolean isHost(int address) {
    int first = address >>> 24;
    return first != 0 && first != 127 && first < 224;
  }

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
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw malformed(text);
    }
    int address = 0;
    for (int part = 1; part <= PARTS; part++) {
      address = address << 8 | Integer.parseInt(matcher.group(part));
    }
    return address;
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        "not an IPv4 address: text="
            + text
            + "; write four numbers from 0 to 255 without leading zeros, such as 192.0.2.1");
  }
}
