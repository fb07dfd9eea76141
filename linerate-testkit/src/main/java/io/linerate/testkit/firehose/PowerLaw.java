package io.linerate.testkit.firehose;

/**
 * Keys of a range, the lower the more often, by the distribution of Yule and Simon, with the gamma
 * function as the reference approximates it.
 */
final class PowerLaw implements FireHose.Generator {
  private static final int KEYS = 100_000;
  private static final long FIRST_KEY = 1_000_000_000;
  private static final double CONCENTRATION = 0.5;

  private final long[] distribution = new long[KEYS];
  private final int median;
  private final ReentrantRandom keyRandom;
  private final ReentrantRandom valueRandom;
  private final int mask;

  PowerLaw(int keySeed, int valueSeed, int mask) {
    keyRandom = new ReentrantRandom(keySeed);
    valueRandom = new ReentrantRandom(valueSeed);
    this.mask = mask;
    int middle = 0;
    for (int i = 1; i < KEYS; i++) {
      double below = distribution(i);
      distribution[i] = (long) Math.floor(below * Integer.MAX_VALUE);
      if (below >= 0.5 && middle == 0) {
        middle = i;
      }
    }
    median = middle;
  }

  /** {@code 1 - i B(i, c + 1)}, of an i from 1 on. */
  private static double distribution(int i) {
    double next = CONCENTRATION + 1;
    return 1 - i * Math.exp(logGamma(i) + logGamma(next) - logGamma(i + next));
  }

  /** By C. Lanczos (1964), with six coefficients. */
  private static double logGamma(double x) {
    double shifted = x + 4.5;
    double rest = shifted - (x - 0.5) * Math.log(shifted);
    double series =
        1.000000000190015
            + 76.18009172947146 / x
            - 86.50532032941678 / (x + 1)
            + 24.01409824083091 / (x + 2)
            - 1.231739572450155 / (x + 3)
            + 0.1208650973866179e-2 / (x + 4)
            - 0.5395239384953e-5 / (x + 5);
    return Math.log(2.5066282746310007 * series) - rest;
  }

  @Override
  public Datum next() {
    int index = index(keyRandom.next());
    while (index == KEYS) {
      index = index(keyRandom.next());
    }
    long key = FIRST_KEY + index;
    boolean isBiased = JenkinsHash.isBiased(key, mask);
    int random = valueRandom.next();
    int value = isBiased ? ((random & 0xF) == 0 ? 1 : 0) : random & 1;
    return new Datum(key, value, isBiased ? 1 : 0);
  }

  /**
   * The key of a random number; {@link #KEYS} for one that is above all.
   *
   * <p>A binary search as the reference has it, which begins in the middle of the distribution and
   * may end at a neighbour where several keys share a number.
   */
  private int index(int random) {
    if (random == 0) {
      return 0;
    }
    int upper = KEYS - 1;
    if (random >= distribution[upper]) {
      return KEYS;
    }
    int lower = 0;
    int guess = median;
    while (lower != upper) {
      if (random > distribution[guess]) {
        lower = guess;
        guess += (upper - guess) / 2 + 1;
      } else if (random > distribution[guess - 1]) {
        return guess;
      } else if (random == distribution[guess - 1]) {
        return guess - 1;
      } else {
        upper = guess;
        guess = lower + (guess - lower) / 2;
      }
    }
    return lower;
  }
}
