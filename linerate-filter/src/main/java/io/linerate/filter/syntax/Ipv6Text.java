package io.linerate.filter.syntax;

import org.jspecify.annotations.Nullable;

/** IPv6 addresses as RFC 4291, section 2.2, writes them. */
public final class Ipv6Text {
  private static final int BYTES = 16;

  private Ipv6Text() {}

  static boolean isAddress(String text) {
    return parse(text) != null;
  }

  /** The 16 bytes of an address, or null if the text is none. */
  public static byte @Nullable [] parse(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      byte[] all = groups(text);
      return all != null && all.length == BYTES ? all : null;
    }
    byte[] first = groups(text.substring(0, gap));
    byte[] last = groups(text.substring(gap + 2));
    if (first == null || last == null || first.length + last.length > BYTES - 2) {
      return null;
    }
    byte[] address = new byte[BYTES];
    System.arraycopy(first, 0, address, 0, first.length);
    System.arraycopy(last, 0, address, BYTES - last.length, last.length);
    return address;
  }

  private static byte @Nullable [] groups(String text) {
    if (text.isEmpty()) {
      return new byte[0];
    }
    String[] parts = text.split(":", -1);
    boolean endsWithIpv4 = parts[parts.length - 1].indexOf('.') >= 0;
    byte[] bytes = new byte[2 * parts.length + (endsWithIpv4 ? 2 : 0)];
    for (int i = 0; i < parts.length; i++) {
      boolean isIpv4 = endsWithIpv4 && i == parts.length - 1;
      if (!(isIpv4 ? putIpv4(parts[i], bytes, 2 * i) : putGroup(parts[i], bytes, 2 * i))) {
        return null;
      }
    }
    return bytes;
  }

  private static boolean putGroup(String part, byte[] bytes, int at) {
    if (part.isEmpty() || part.length() > 4) {
      return false;
    }
    for (int i = 0; i < part.length(); i++) {
      if (!AddressText.isHexadecimal(part.charAt(i))) {
        return false;
      }
    }
    int value = Integer.parseInt(part, 16);
    bytes[at] = (byte) (value >> 8);
    bytes[at + 1] = (byte) value;
    return true;
  }

  private static boolean putIpv4(String part, byte[] bytes, int at) {
    String[] numbers = part.split("\\.", -1);
    if (numbers.length != 4) {
      return false;
    }
    for (int i = 0; i < 4; i++) {
      String number = numbers[i];
      boolean isPlain =
          !number.isEmpty()
              && number.length() <= 3
              && number.chars().allMatch(c -> c >= '0' && c <= '9')
              && (number.length() == 1 || number.charAt(0) != '0');
      if (!isPlain || Integer.parseInt(number) > 0xFF) {
        return false;
      }
      bytes[at + i] = (byte) Integer.parseInt(number);
    }
    return true;
  }
}
