package io.linerate.core.config;

/**
 * What a program says about itself: docs/statistics.md.
 *
 * @param counters whether other processes can read its counters
 * @param slowBurstUs time in µs from which the rounds between two looks at the clock are told to
 *     Flight Recorder as slow, 1 to 60,000,000
 */
public record StatisticsConfig(boolean counters, int slowBurstUs) {
  public static final StatisticsConfig DEFAULT = new StatisticsConfig(true, 1_000);

  /**
   * @throws ConfigException if a number is out of range
   */
  public StatisticsConfig {
    Bounds.require("slowburstus", slowBurstUs, 1, 60_000_000);
  }

  public StatisticsConfig withCounters(boolean counters) {
    return new StatisticsConfig(counters, slowBurstUs);
  }

  public StatisticsConfig withSlowBurstUs(int slowBurstUs) {
    return new StatisticsConfig(counters, slowBurstUs);
  }
}
