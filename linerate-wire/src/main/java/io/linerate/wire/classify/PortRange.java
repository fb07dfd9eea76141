package io.linerate.wire.classify;

/**
 * Ports that follow each other.
 *
 * @param first 0 to 65,535
 * @param last the same, not below {@code first}
 */
public record PortRange(int first, int last) {
  /** All ports. */
  public static final PortRange ANY = new PortRange(0, 65_535);

  /**
   * @throws IllegalArgumentException for any other numbers
   */
  public PortRange {
    if (first < 0 || first > last || last > 65_535) {
      throw new IllegalArgumentException(
          "not a range of ports: first=%d, last=%d; give 0 to 65535, the last not below the first"
              .formatted(first, last));
    }
  }

  /** One port. */
  public static PortRange of(int port) {
    return new PortRange(port, port);
  }
}
