package io.linerate.fabric.host;

/** The range of a number that a program sets. */
public final class Range {
  private Range() {}

  /**
   * Checks one.
   *
   * @param name of the setting
   * @throws IllegalArgumentException if it is out of its range
   */
  public static void require(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "a number is out of range: %s=%d, range=%d to %d; take one within"
              .formatted(name, value, least, most));
    }
  }
}
