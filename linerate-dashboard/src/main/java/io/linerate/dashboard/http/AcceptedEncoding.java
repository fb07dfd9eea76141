package io.linerate.dashboard.http;

import java.util.Locale;

/** What a client says that it can read: Accept-Encoding, RFC 9110, section 12.5.3. */
final class AcceptedEncoding {
  /** Browsers need 30; what is longer is not looked at, and the answer is not compressed. */
  private static final int MOST_LETTERS = 256;

  private AcceptedEncoding() {}

  /** Whether {@code gzip} is among them, and not with a weight of 0. */
  static boolean hasGzip(String header) {
    if (header.length() > MOST_LETTERS) {
      return false;
    }
    for (String coding : header.toLowerCase(Locale.ROOT).split(",", -1)) {
      String[] parts = coding.split(";", -1);
      if (parts[0].strip().equals("gzip")) {
        return parts.length == 1 || (parts.length == 2 && isWanted(parts[1].strip()));
      }
    }
    return false;
  }

  /** Of a weight: {@code q=0.5}. */
  private static boolean isWanted(String weight) {
    if (!weight.startsWith("q=")) {
      return false;
    }
    try {
      return Double.parseDouble(weight.substring(2)) > 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
