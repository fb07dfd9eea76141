package io.linerate.wire.classify;

import io.linerate.wire.Ipv4Address;
import java.util.Comparator;

/**
 * IPv4 addresses that begin with the same bits (RFC 4632, section 3.1).
 *
 * @param address the first of them, 32 bits; those behind the prefix are 0
 * @param bits how many bits of it count, 0 to 32
 */
public record Ipv4Prefix(int address, int bits) {
  /** All addresses. */
  public static final Ipv4Prefix ANY = new Ipv4Prefix(0, 0);

  /** Each prefix stands behind those around it. */
  static final Comparator<Ipv4Prefix> OUTER_FIRST =
      Comparator.comparingLong(Ipv4Prefix::start).thenComparingInt(Ipv4Prefix::bits);

  private static final int ADDRESS_BITS = 32;

  /**
   * @throws IllegalArgumentException if the bits are none of 0 to 32, or one behind them is set
   */
  public Ipv4Prefix {
    if (bits < 0 || bits > ADDRESS_BITS) {
      throw new IllegalArgumentException(
          "not a prefix: bits=%d; 0 to 32 are allowed".formatted(bits));
    }
    if ((address & (int) (0xFFFF_FFFFL >>> bits)) != 0) {
      throw new IllegalArgumentException(
          "bits behind the prefix are set: address=%s, bits=%d; clear them"
              .formatted(Ipv4Address.format(address), bits));
    }
  }

  /** The first address, 0 to 2^32 - 1. */
  long start() {
    return Integer.toUnsignedLong(address);
  }

  /** The address behind the last, 1 to 2^32. */
  long end() {
    return start() + (1L << (ADDRESS_BITS - bits));
  }

  /** Whether all addresses of another are among these. */
  boolean contains(Ipv4Prefix other) {
    return start() <= other.start() && other.end() <= end();
  }
}
