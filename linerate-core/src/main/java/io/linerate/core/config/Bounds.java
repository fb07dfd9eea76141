package io.linerate.core.config;

/**
 * What numbers are allowed. A class of its own: those that ask have constants that need each other.
 */
final class Bounds {
  private Bounds() {}

  /**
   * @throws ConfigException if the number is out of range
   */
  static void require(String key, long value, long min, long max) {
    if (value < min || value > max) {
      throw new ConfigException(
          "value is out of range: %s=%d; %d to %d is allowed".formatted(key, value, min, max));
    }
  }
}
