package io.linerate.apps.top;

import java.util.Locale;

/** Numbers, times and names as text for a screen. */
final class Figures {
  private static final String PREFIXES = "kMGTPE";

  private Figures() {}

  /** Three digits or so and an SI prefix: 0, 0.5, 999, 1.23k, 45.6M; - for what is not known. */
  static String brief(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    if (value < 999.5) {
      boolean isWhole = value >= 9.95 || Math.abs(value - Math.rint(value)) < 0.05;
      return String.format(Locale.ROOT, isWhole ? "%.0f" : "%.1f", value);
    }
    double rest = value;
    int prefix = -1;
    while (rest >= 999.5 && prefix < PREFIXES.length() - 1) {
      rest /= 1_000;
      prefix++;
    }
    String form = rest < 9.995 ? "%.2f%c" : rest < 99.95 ? "%.1f%c" : "%.0f%c";
    return String.format(Locale.ROOT, form, rest, PREFIXES.charAt(prefix));
  }

  /** Every digit, in groups of three. */
  static String exact(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
