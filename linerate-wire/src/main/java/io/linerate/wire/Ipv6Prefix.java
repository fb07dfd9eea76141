package io.linerate.wire;

/**
 * IPv6 addresses that begin with the same bits (RFC 4291, section 2.3).
 *
 * @param high bytes 0 to 7 of the first of them; bits behind the prefix are 0
 * @param low bytes 8 to 15
 * @param bits how many bits count, 0 to 128
 */
public record Ipv6Prefix(long high, long low, int bits) implements IpPrefix {
  /** All addresses. */
  public static final Ipv6Prefix ANY = new Ipv6Prefix(0, 0, 0);

  static final int ADDRESS_BITS = 128;

  /**
   * @throws IllegalArgumentException if the bits are none of 0 to 128, or one behind them is set
   */
  public Ipv6Prefix {
    if (bits < 0 || bits > ADDRESS_BITS) {
      throw new IllegalArgumentException(
          "not a prefix: bits=%d; 0 to 128 are allowed".formatted(bits));
    }
    if ((high & ~highMask(bits)) != 0 || (low & ~lowMask(bits)) != 0) {
      throw new IllegalArgumentException(
          "bits behind the prefix are set: address=%s, bits=%d; clear them"
              .formatted(Ipv6Address.format(high, low), bits));
    }
  }

  /** That of an address: bits behind the prefix are cleared. */
  public static Ipv6Prefix of(long high, long low, int bits) {
    return new Ipv6Prefix(high & highMask(bits), low & lowMask(bits), bits);
  }

  @Override
  public int version() {
    return 6;
  }

  @Override
  public boolean contains(IpPrefix other) {
    return other instanceof Ipv6Prefix(long otherHigh, long otherLow, int length)
        && length >= bits
        && (otherHigh & highMask(bits)) == high
        && (otherLow & lowMask(bits)) == low;
  }

  /** As one writes it, such as 2001:db8::/32. */
  @Override
  public String toString() {
    return Ipv6Address.format(high, low) + "/" + bits;
  }

  /** A word with the bits of bytes 0 to 7 that are in a prefix of so many, 0 to 128. */
  public static long highMask(int bits) {
    return ones(Math.min(bits, Long.SIZE));
  }

  /** As {@link #highMask}, of bytes 8 to 15. */
  public static long lowMask(int bits) {
    return ones(Math.max(bits - Long.SIZE, 0));
  }

  /** A word whose first bits are 1: a shift by 64 would shift by none. */
  private static long ones(int bits) {
    return bits == 0 ? 0 : -1L << (Long.SIZE - bits);
  }
}
