package io.linerate.core.config;

import java.util.Locale;

/**
 * Rates as people read them: three digits that count and an SI prefix, such as {@code 7 pps},
 * {@code 1.23 Mpps} and {@code 40.0 Gbit/s}. {@code format.js} does the same for the page.
 */
public final class RateText {
  private static final String[] PREFIXES = {"", "k", "M", "G", "T", "P"};
  private static final int DIGITS = 3;

  private RateText() {}

  /** Packets in a second. */
  public static String packets(double perSecond) {
    return of(perSecond, "pps");
  }

  /** Bits in a second. */
  public static String bits(double perSecond) {
    return of(perSecond, "bit/s");
  }

  /** A number of any unit; {@code -} for what is not known. */
  public static String of(double value, String unit) {
    return of(value, unit, DIGITS);
  }

  /**
   * The same with more digits, for who compares.
   *
   * @param digits that count, 3 or more
   */
  public static String of(double value, String unit, int digits) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    double scaled = Math.abs(value);
    int prefix = 0;
    while (scaled >= 1_000 - half(3, digits) && prefix < PREFIXES.length - 1) {
      scaled /= 1_000;
      prefix++;
    }
    String number = number(scaled, digits);
    if (prefix == 0) {
      number = number.replaceAll("\\.0+$", "");
    }
    return ((value < 0 ? "-" : "") + number + " " + PREFIXES[prefix] + unit).strip();
  }

  /** Half of the last of {@code digits} that are shown of a number with so many before the dot. */
  private static double half(int before, int digits) {
    return 0.5 * Math.pow(10, before - digits);
  }

  private static String number(double value, int digits) {
    if (value == 0) {
      return "0";
    }
    int before = value >= 100 - half(2, digits) ? 3 : value >= 10 - half(1, digits) ? 2 : 1;
    int decimals = value < 0.1 ? digits : digits - before;
    return String.format(Locale.US, "%." + decimals + "f", value);
  }
}
