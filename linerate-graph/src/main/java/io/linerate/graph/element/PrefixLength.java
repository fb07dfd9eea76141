package io.linerate.graph.element;

/** The number behind the slash of a prefix. */
final class PrefixLength {
  private PrefixLength() {}

  /**
   * @param slash where it is in the text, or negative
   * @throws IllegalArgumentException if it is not 0 to {@code max}
   */
  static int parse(String text, int slash, int max) {
    String digits = slash < 0 ? "" : text.substring(slash + 1);
    if (!digits.matches("[0-9]{1,3}") || Integer.parseInt(digits) > max) {
      throw new IllegalArgumentException(
          "not an address with a prefix: text="
              + text
              + "; write '/' and a length of 0 to "
              + max
              + " behind the address");
    }
    return Integer.parseInt(digits);
  }
}
