package io.linerate.decode.protocol;

import io.linerate.decode.Scan;

/** The lines of a text that is scanned, which end in CR LF or in LF. */
final class ScanLines {
  private ScanLines() {}

  /** Offset of the line behind that which is at an offset. */
  static int lineEnd(Scan scan, int at) {
    int feed = scan.indexOf('\n', at);
    return feed < 0 ? scan.length() : feed + 1;
  }

  /** Whether a line is empty. */
  static boolean isBlank(Scan scan, int at) {
    int first = scan.u8(at);
    return first == '\n' || (first == '\r' && scan.has(at, 2) && scan.u8(at + 1) == '\n');
  }

  /** Whether a line looks like a header: it begins with no space, and has a colon. */
  static boolean hasColon(Scan scan, int at, int end) {
    int colon = scan.indexOf(':', at);
    return colon >= 0 && colon < end && !isSpace(scan.u8(at));
  }

  static boolean isSpace(int value) {
    return value == ' ' || value == '\t';
  }

  /** Whether a line is the header of a name, in lower case. */
  static boolean isNamed(Scan scan, int at, String name) {
    if (!scan.has(at, name.length() + 1) || scan.u8(at + name.length()) != ':') {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if ((scan.u8(at + i) | 0x20) != (name.charAt(i) | 0x20)) {
        return false;
      }
    }
    return true;
  }

  /** The number that a header is, of up to 31 bits; -1 if it is none. */
  static long number(Scan scan, int from, int end) {
    long value = -1;
    for (int i = from; i < end; i++) {
      int digit = scan.u8(i) - '0';
      if (digit >= 0 && digit <= 9) {
        value = Math.min(10 * Math.max(value, 0) + digit, Integer.MAX_VALUE);
      } else if (!isSpace(scan.u8(i)) || value >= 0) {
        return isEnd(scan.u8(i)) ? value : -1;
      }
    }
    return value;
  }

  private static boolean isEnd(int value) {
    return isSpace(value) || value == '\r' || value == '\n';
  }
}
