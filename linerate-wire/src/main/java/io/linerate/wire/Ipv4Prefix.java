package io.linerate.wire;

/**
 * IPv4 addresses that begin with the same bits (RFC 4632, section 3.1).
 *
 * @param address the first of them, 32 bits; those behind the prefix are 0
 * @param bits how many bits of it count, 0 to 32
 */
public record Ipv4Prefix(int address, int bits) implements IpPrefix {
  /** All addresses. */
  public static final Ipv4Prefix ANY = new Ipv4Prefix(0, 0);

  static final int ADDRESS_BITS = 32;

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

  /** That of an address: bits behind the prefix are cleared. */
  public static Ipv4Prefix of(int address, int bits) {
    return new Ipv4Prefix(address & (int) (-1L << (ADDRESS_BITS - bits)), bits);
  }

  @Override
  public int version() {
    return 4;
  }

  @Override
  public boolean contains(IpPrefix other) {
    return other instanceof Ipv4Prefix(int first, int length)
        && length >= bits
        && of(first, bits).address == address;
  }

  /** As one writes it, such as 192.0.2.0/24. */
  @Override
  public String toString() {
    return Ipv4Address.format(address) + "/" + bits;
  }
}
