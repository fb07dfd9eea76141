package io.linerate.testkit;

/**
 * How much a random test does, and from which seed. Every run of the tests takes a sample, always
 * the same; {@code ./linerate test --soak} does the whole, from the seed that it prints. A test
 * that asks has the tag {@code sampled}; one that runs in a soak only has the tag {@code soak}.
 */
public final class Soak {
  private Soak() {}

  /**
   * How often to do it.
   *
   * @param sample for some seconds at most
   * @param whole for minutes
   */
  public static int times(int sample, int whole) {
    return Boolean.getBoolean("linerate.soak") ? whole : sample;
  }

  /**
   * Where a test's random numbers begin: at its own seed in the sample.
   *
   * @param own which sets the test apart from others
   */
  public static long seed(long own) {
    // 0, without a seed, leaves it as it is; odd: no two seeds are the same.
    return own ^ 0x9E37_79B9_7F4A_7C15L * Long.getLong("linerate.test.seed", 0);
  }
}
