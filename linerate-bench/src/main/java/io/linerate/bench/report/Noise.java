package io.linerate.bench.report;

import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What else the machine did.
 *
 * @param foreignCpus CPUs' worth of work by others just before the benchmark, when it had not begun
 * @param stealShare part of the time of all CPUs that the hypervisor gave to others meanwhile
 */
public record Noise(double foreignCpus, double stealShare) {
  /**
   * How wide the ratios may be, in terms of their median, to say something still: the middle half
   * of pairs, all of JVMs.
   */
  public static final double MAX_SPREAD = 0.15;

  /** More work by others than this makes figures doubtful. */
  static final double MAX_FOREIGN_CPUS = 0.25;

  /** More time for others than this makes figures doubtful. */
  static final double MAX_STEAL_SHARE = 0.02;

  /**
   * Whether the ratios of a result are no numbers or too far apart for their median to say much.
   */
  public static boolean isTooWide(Result result) {
    return result.ratio().filter(ratio -> !(width(result, ratio) <= MAX_SPREAD)).isPresent();
  }

  private static double width(Result result, Spread ratio) {
    return result.jvms() > 1 ? ratio.relativeRange() : ratio.relativeSpread();
  }

  /** Why the machine was too noisy for good figures; empty if it was not. */
  public List<String> complaints() {
    List<String> complaints = new ArrayList<>();
    if (foreignCpus > MAX_FOREIGN_CPUS) {
      complaints.add(
          String.format(Locale.ROOT, "other programs used %.2f CPUs just before", foreignCpus));
    }
    if (stealShare > MAX_STEAL_SHARE) {
      complaints.add(
          String.format(
              Locale.ROOT,
              "the hypervisor gave %.1f %% of the CPUs' time to others",
              100 * stealShare));
    }
    return complaints;
  }
}
