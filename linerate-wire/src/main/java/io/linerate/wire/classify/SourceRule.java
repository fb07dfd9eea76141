package io.linerate.wire.classify;

/**
 * Packets from some IPv4 addresses, of one protocol or of any.
 *
 * @param address the first of them, 32 bits; those behind the prefix are 0
 * @param prefixBits how many bits of it count, 0 to 32
 * @param protocol of the IP header, 0 to 255; {@link #ANY_PROTOCOL} for all
 * @param number what {@link SourceClassifier#match} answers; the lowest of the rules that match
 *     wins
 */
public record SourceRule(int address, int prefixBits, int protocol, int number) {
  public static final int ANY_PROTOCOL = -1;

  private static final int ADDRESS_BITS = 32;
  private static final int MAX_PROTOCOL = 255;

  public SourceRule {
    if (prefixBits < 0
        || prefixBits > ADDRESS_BITS
        || protocol < ANY_PROTOCOL
        || protocol > MAX_PROTOCOL) {
      throw new IllegalArgumentException(
          "not a rule: prefixBits=%d, protocol=%d; 0 to 32 and -1 to 255 are allowed"
              .formatted(prefixBits, protocol));
    }
    if ((address & (int) (0xFFFF_FFFFL >>> prefixBits)) != 0) {
      throw new IllegalArgumentException(
          "bits behind the prefix are set: address=%08x, prefixBits=%d; clear them"
              .formatted(address, prefixBits));
    }
  }

  /** The first address, 0 to 2^32 - 1. */
  long start() {
    return address & 0xFFFF_FFFFL;
  }

  /** The address behind the last, 1 to 2^32. */
  long end() {
    return start() + (1L << (ADDRESS_BITS - prefixBits));
  }
}
