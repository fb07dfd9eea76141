package io.linerate.analysis;

import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/**
 * A hash of keys with a secret, the same on all workers of a program: nobody can choose keys that
 * have the same.
 */
final class KeyHash {
  /** Of this program. */
  static final KeyHash SECRET = new KeyHash(new SecureRandom());

  private final long first;
  private final long second;
  private final long third;

  KeyHash(RandomGenerator random) {
    first = random.nextLong();
    second = random.nextLong();
    third = random.nextLong();
  }

  /** Goes on from a hash, at first 0, with two words. */
  long add(long hash, long one, long other) {
    return folded(hash ^ folded(one ^ first, other ^ second), third);
  }

  /** A hash as maps have it. */
  static int toInt(long hash) {
    return (int) (hash >>> Integer.SIZE);
  }

  /** The product of 128 bits, its halves together: each bit depends on all. */
  private static long folded(long one, long other) {
    return Math.unsignedMultiplyHigh(one, other) ^ (one * other);
  }
}
