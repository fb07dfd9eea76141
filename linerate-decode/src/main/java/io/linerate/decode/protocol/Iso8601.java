package io.linerate.decode.protocol;

/** Times as texts, such as {@code 2003-10-11T22:14:15.003Z}; RFC 3339, section 5.6. */
final class Iso8601 {
  /** No time is longer. */
  static final int MOST_LETTERS = 40;

  private static final long NS_PER_SECOND = 1_000_000_000L;
  private static final String FORM = "dddd-dd-ddTdd:dd:dd";

  private Iso8601() {}

  /** Whether a text has the form of a time. */
  static boolean isTime(CharSequence text) {
    if (text.length() <= FORM.length()) {
      return false;
    }
    for (int i = 0; i < FORM.length(); i++) {
      char form = FORM.charAt(i);
      char letter = text.charAt(i);
      if (form == 'd' ? !isDigit(letter) : letter != form) {
        return false;
      }
    }
    int zone = zone(text);
    char letter = zone < text.length() ? text.charAt(zone) : 0;
    return letter == 'Z' || ((letter == '+' || letter == '-') && text.length() == zone + 6);
  }

  private static boolean isDigit(char letter) {
    return letter >= '0' && letter <= '9';
  }

  /** Where the offset from UTC begins. */
  private static int zone(CharSequence text) {
    int at = FORM.length();
    if (at < text.length() && text.charAt(at) == '.') {
      do {
        at++;
      } while (at < text.length() && isDigit(text.charAt(at)));
    }
    return at;
  }

  private static int number(CharSequence text, int from, int end) {
    int value = 0;
    for (int i = from; i < end; i++) {
      value = 10 * value + (text.charAt(i) - '0');
    }
    return value;
  }

  /** Since 1970, of a text that has the form. */
  static long ns(CharSequence text) {
    long seconds =
        86_400L * days(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10))
            + 3_600L * number(text, 11, 13)
            + 60L * number(text, 14, 16)
            + number(text, 17, 19);
    int zone = zone(text);
    char sign = text.charAt(zone);
    if (sign != 'Z') {
      long offset =
          3_600L * number(text, zone + 1, zone + 3) + 60L * number(text, zone + 4, zone + 6);
      seconds -= sign == '-' ? -offset : offset;
    }
    return seconds * NS_PER_SECOND + fractionNs(text, zone);
  }

  private static long fractionNs(CharSequence text, int zone) {
    long ns = 0;
    int digits = 0;
    for (int i = FORM.length() + 1; i < zone && digits < 9; i++, digits++) {
      ns = 10 * ns + (text.charAt(i) - '0');
    }
    for (; digits < 9; digits++) {
      ns *= 10;
    }
    return ns;
  }

  /** Days since 1970 of a date of the Gregorian calendar. */
  private static long days(int year, int month, int day) {
    int shifted = month <= 2 ? year - 1 : year;
    int months = (month + 9) % 12;
    long ofYears = 365L * shifted + shifted / 4 - shifted / 100 + shifted / 400;
    return ofYears + (153 * months + 2) / 5 + day - 1 - 719_468;
  }
}
