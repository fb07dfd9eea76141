package io.linerate.middlebox.synproxy;

import java.util.random.RandomGenerator;

/**
 * SipHash-2-4 of words of 64 bits (Aumasson and Bernstein, INDOCRYPT 2012): who does not know the
 * key cannot tell its value from a random one.
 */
final class SipHash {
  private final long key0;
  private final long key1;
  private long v0;
  private long v1;
  private long v2;
  private long v3;

  SipHash(long key0, long key1) {
    this.key0 = key0;
    this.key1 = key1;
  }

  SipHash(RandomGenerator random) {
    this(random.nextLong(), random.nextLong());
  }

  SipHash begin() {
    v0 = key0 ^ 0x736f_6d65_7073_6575L;
    v1 = key1 ^ 0x646f_7261_6e64_6f6dL;
    v2 = key0 ^ 0x6c79_6765_6e65_7261L;
    v3 = key1 ^ 0x7465_6462_7974_6573L;
    return this;
  }

  SipHash add(long word) {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
    return this;
  }

  /**
   * The hash.
   *
   * @param last the last bytes, seven at most, and in the highest byte how many there were in all
   */
  long end(long last) {
    long _ = add(last).v0;
    v2 ^= 0xFF;
    round();
    round();
    round();
    round();
    return v0 ^ v1 ^ v2 ^ v3;
  }

  private void round() {
    v0 += v1;
    v1 = Long.rotateLeft(v1, 13) ^ v0;
    v0 = Long.rotateLeft(v0, 32);
    v2 += v3;
    v3 = Long.rotateLeft(v3, 16) ^ v2;
    v0 += v3;
    v3 = Long.rotateLeft(v3, 21) ^ v0;
    v2 += v1;
    v1 = Long.rotateLeft(v1, 17) ^ v2;
    v2 = Long.rotateLeft(v2, 32);
  }
}
