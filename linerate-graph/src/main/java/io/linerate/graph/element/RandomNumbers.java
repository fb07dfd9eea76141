package io.linerate.graph.element;

/**
 * Random numbers that a seed determines: SplitMix64 of Steele, Lea and Flood, "Fast Splittable
 * Pseudorandom Number Generators" (OOPSLA 2014). Not for secrets.
 */
final class RandomNumbers {
  private static final long GAMMA = 0x9E37_79B9_7F4A_7C15L;
  private static final double STEP = 0x1p-53;

  private long state;

  /**
   * @param stream different ones have different sequences, such as the workers' numbers
   */
  RandomNumbers(long seed, int stream) {
    state = mix(seed + GAMMA * stream);
  }

  long next() {
    state += GAMMA;
    return mix(state);
  }

  /** From 0 to below 1, evenly. */
  double nextFraction() {
    return (next() >>> 11) * STEP;
  }

  private static long mix(long value) {
    long z = (value ^ value >>> 30) * 0xBF58_476D_1CE4_E5B9L;
    z = (z ^ z >>> 27) * 0x94D0_49BB_1331_11EBL;
    return z ^ z >>> 31;
  }
}
