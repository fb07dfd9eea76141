package io.linerate.filter.syntax;

/** Texts that are addresses, as libpcap's scanner knows them. */
final class AddressText {
  /** Characters of an IPv6 address: no longer text is one. */
  private static final int MAX_IPV6 = 64;

  private static final int GROUPS = 8;

  private AddressText() {}

  static boolean isHexadecimal(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Where a decimal or hexadecimal number ends that begins at {@code from}; there if none does. */
  static int endOfNumber(CharSequence text, int from) {
    int length = text.length();
    int at = from;
    if (at + 2 < length
        && text.charAt(at) == '0'
        && (text.charAt(at + 1) | 0x20) == 'x'
        && isHexadecimal(text.charAt(at + 2))) {
      at += 2;
      while (at < length && isHexadecimal(text.charAt(at))) {
        at++;
      }
      return at;
    }
    while (at < length && isDigit(text.charAt(at))) {
      at++;
    }
    return at;
  }

  /** Where two to four numbers with dots between end, or {@code from}. */
  static int endOfIpv4(CharSequence text, int from) {
    int end = from;
    int at = from;
    for (int parts = 1; parts <= 4; parts++) {
      int next = endOfNumber(text, at);
      if (next == at) {
        return end;
      }
      if (parts > 1) {
        end = next;
      }
      if (next >= text.length() || text.charAt(next) != '.') {
        return end;
      }
      at = next + 1;
    }
    return end;
  }

  /** Where an Ethernet address ends, or {@code from}. */
  static int endOfEthernet(CharSequence text, int from) {
    int end = from;
    for (char separator : new char[] {':', '-', '.'}) {
      end = Math.max(end, endOfPairs(text, from, separator));
    }
    int quads = endOfQuads(text, from, true);
    return Math.max(end, Math.max(quads, endOfQuads(text, from, false)));
  }

  /** Six times one or two digits. */
  private static int endOfPairs(CharSequence text, int from, char separator) {
    int at = from;
    for (int part = 0; part < 6; part++) {
      if (part > 0) {
        if (at >= text.length() || text.charAt(at) != separator) {
          return from;
        }
        at++;
      }
      int digits = hexadecimal(text, at, 2);
      if (digits == 0) {
        return from;
      }
      at += digits;
    }
    return at;
  }

  /** Three times four digits. */
  private static int endOfQuads(CharSequence text, int from, boolean withDots) {
    int at = from;
    for (int part = 0; part < 3; part++) {
      if (part > 0 && withDots) {
        if (at >= text.length() || text.charAt(at) != '.') {
          return from;
        }
        at++;
      }
      if (hexadecimal(text, at, 4) != 4) {
        return from;
      }
      at += 4;
    }
    return at;
  }

  /** Hexadecimal digits from a place on, at most so many. */
  private static int hexadecimal(CharSequence text, int from, int max) {
    int count = 0;
    while (count < max
        && from + count < text.length()
        && isHexadecimal(text.charAt(from + count))) {
      count++;
    }
    return count;
  }

  /** Where what looks like an Ethernet address that is none ends, or {@code from}. */
  static int endOfBrokenEthernet(CharSequence text, int from) {
    int at = from;
    int end = from;
    for (int parts = 1; ; parts++) {
      int digits = hexadecimal(text, at, 2);
      if (digits == 0) {
        return end;
      }
      at += digits;
      int colons = at;
      while (at < text.length() && text.charAt(at) == ':') {
        at++;
      }
      if (at == colons) {
        return end;
      }
      if (parts >= 2) {
        end = at;
      }
    }
  }

  /** Where the longest IPv6 address ends that begins at {@code from}, or {@code from}. */
  static int endOfIpv6(CharSequence text, int from) {
    int end = from;
    while (end < text.length() && end - from < MAX_IPV6 && isOfIpv6(text.charAt(end))) {
      end++;
    }
    for (; end >= from + 2; end--) {
      if (looksLikeIpv6(text.subSequence(from, end).toString())) {
        return end;
      }
    }
    return from;
  }

  private static boolean isOfIpv6(char c) {
    return isHexadecimal(c) || c == ':' || c == '.' || c == 'x' || c == 'X';
  }

  /** Whether groups and colons are as RFC 4291, section 2.2, has them; numbers may be too large. */
  private static boolean looksLikeIpv6(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      return groups(text, true) == GROUPS;
    }
    String before = text.substring(0, gap);
    String after = text.substring(gap + 2);
    int first = before.isEmpty() ? 0 : groups(before, false);
    int last = after.isEmpty() ? 0 : groups(after, true);
    return first >= 0 && last >= 0 && first + last < GROUPS;
  }

  /** Groups of a text without a gap, or -1; an IPv4 address at the end is two. */
  private static int groups(String text, boolean mayEndWithIpv4) {
    String[] parts = text.split(":", -1);
    int count = 0;
    for (int i = 0; i < parts.length; i++) {
      String part = parts[i];
      if (i == parts.length - 1 && mayEndWithIpv4 && part.indexOf('.') >= 0) {
        if (part.chars().filter(c -> c == '.').count() != 3
            || endOfIpv4(part, 0) != part.length()) {
          return -1;
        }
        count += 2;
      } else if (!part.isEmpty()
          && part.length() <= 4
          && hexadecimal(part, 0, 4) == part.length()) {
        count++;
      } else {
        return -1;
      }
    }
    return count;
  }
}
