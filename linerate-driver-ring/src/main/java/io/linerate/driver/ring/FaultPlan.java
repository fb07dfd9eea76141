package io.linerate.driver.ring;

import io.linerate.core.config.DurationText;
import io.linerate.core.port.AddressOptions;
import java.time.Duration;
import java.util.List;

/**
 * Which faults to make, and how often: probabilities for each packet.
 *
 * @param distance packets at most that pass one that is reordered
 * @param delayNs for which each packet is held
 * @param jitterNs that it may be held longer
 * @param hold packets at most that a queue holds for the sake of time
 * @param refuse of a transmit queue, whatever the direction of the others is
 */
record FaultPlan(
    Direction direction,
    double drop,
    double duplicate,
    double reorder,
    int distance,
    double corrupt,
    double truncate,
    long delayNs,
    long jitterNs,
    int hold,
    double refuse,
    long seed) {
  static final List<String> KEYS =
      List.of(
          "direction",
          "drop",
          "duplicate",
          "reorder",
          "distance",
          "corrupt",
          "truncate",
          "delay",
          "jitter",
          "hold",
          "refuse",
          "seed",
          AddressOptions.PORT);

  private static final int DEFAULT_DISTANCE = 3;
  private static final int DEFAULT_HOLD = 4_096;
  private static final Duration MAX_TIME = Duration.ofSeconds(10);

  static FaultPlan of(AddressOptions options) {
    FaultPlan plan =
        new FaultPlan(
            options.word("direction", Direction.RX),
            options.probability("drop"),
            options.probability("duplicate"),
            options.probability("reorder"),
            options.number("distance", DEFAULT_DISTANCE, 1, DelayLine.MAX_ASIDE),
            options.probability("corrupt"),
            options.probability("truncate"),
            timeNs(options, "delay"),
            timeNs(options, "jitter"),
            options.number("hold", DEFAULT_HOLD, FaultMaker.MOST_ADDED, 1 << 15),
            options.probability("refuse"),
            options.number("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE, "a whole number of 64 bits"));
    if (options.has("distance") && plan.reorder == 0) {
      throw options.wrong("distance", "it beside reorder=P, a probability above 0");
    }
    if (options.has("hold") && !plan.isTimed()) {
      throw options.wrong("hold", "it beside delay, jitter or reorder");
    }
    return plan;
  }

  private static long timeNs(AddressOptions options, String key) {
    Duration time = options.value(key, Duration.ZERO, DurationText::parse);
    if (time.compareTo(MAX_TIME) > 0) {
      throw options.wrong(key, "a time up to " + MAX_TIME.toSeconds() + "s");
    }
    return time.toNanos();
  }

  /** Whether packets are held for the sake of time or of order. */
  boolean isTimed() {
    return delayNs > 0 || jitterNs > 0 || reorder > 0;
  }

  /** Whether it does anything to packets that pass. */
  boolean disturbs() {
    return isTimed() || drop > 0 || duplicate > 0 || corrupt > 0 || truncate > 0;
  }
}
