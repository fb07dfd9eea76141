package io.linerate.apps.generate;

/**
 * Goes through the values of a field, for one worker of several: worker w takes those of packets w,
 * w + workers, w + 2 workers and so on. So packet n has the same values whoever makes it.
 */
final class ValueCursor {
  /** The increment of SplitMix64 (Steele, Lea, Flood, 2014): the golden ratio's bits. */
  private static final long GAMMA = 0x9E37_79B9_7F4A_7C15L;

  private final long count;
  private final long stride;
  private final long gamma;
  private final boolean isRandom;
  private long offset;
  private long state;

  /**
   * @param seed of random values; each field has another
   */
  ValueCursor(ValueRange range, long seed, int worker, int workers) {
    count = range.count();
    isRandom = range.isRandom();
    stride = product(range.step(), workers, count);
    offset = product(range.step(), worker, count);
    state = seed + (worker + 1) * GAMMA;
    gamma = workers * GAMMA;
  }

  /** The remainder of a product, which may exceed a long. */
  private static long product(long a, long b, long modulus) {
    long sum = 0;
    for (long i = 0; i < b; i++) {
      sum = Long.remainderUnsigned(sum + a % modulus, modulus);
    }
    return sum;
  }

  /** Distance of the next value from the first of the range. */
  long next() {
    if (isRandom) {
      long drawn = mix(state);
      state += gamma;
      // The upper half of the product: a fair choice without a division (Lemire, 2019).
      return Math.unsignedMultiplyHigh(drawn, count);
    }
    long now = offset;
    offset += stride;
    if (offset >= count) {
      offset -= count;
    }
    return now;
  }

  /** The output function of SplitMix64. */
  static long mix(long state) {
    long z = (state ^ (state >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return z ^ (z >>> 31);
  }
}
