package io.linerate.testkit.firehose;

/**
 * The numbers of {@code rand_r} of the GNU C library: three steps of a linear congruential
 * generator for 31 bits, of 11, 10 and 10 of them.
 */
final class ReentrantRandom {
  private static final int MULTIPLIER = 1_103_515_245;
  private static final int INCREMENT = 12_345;

  private int state;

  ReentrantRandom(int seed) {
    state = seed;
  }

  /** 0 to 2,147,483,647. */
  int next() {
    int high = step() & 0x7FF;
    int middle = step() & 0x3FF;
    return (high << 20) | (middle << 10) | (step() & 0x3FF);
  }

  private int step() {
    state = state * MULTIPLIER + INCREMENT;
    return state >>> 16;
  }
}
