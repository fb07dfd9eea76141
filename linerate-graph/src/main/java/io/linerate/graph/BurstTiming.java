package io.linerate.graph;

/**
 * Chooses which of the bursts that come to a place are timed: one each 2 ms, or each where fewer
 * come. In turn, one is timed as a whole, by the way that all go, and one element by element, which
 * takes longer: the former says how much, and what the elements took is scaled by that. For a
 * worker's thread.
 */
final class BurstTiming {
  private static final long PERIOD_NS = 2_000_000;
  private static final int MOST_BURSTS = 1 << 20;

  /** A burst that takes so many times what they take on average was interrupted. */
  private static final int OUTLIER = 32;

  private static final double AVERAGED = 16;

  private final ElementTimer timer;

  /** Bursts until the next is timed, or rounds with work. */
  private int left = 1;

  private int period = 1;
  private long lastNs;

  /** Bursts since one was timed element by element. */
  private long passed;

  private boolean isWholeNext = true;
  private double wholeNs;
  private double stepsNs;

  BurstTiming(ElementTimer timer) {
    this.timer = timer;
  }

  /** Asked for each burst: whether it is to be timed. */
  boolean isDue() {
    return --left <= 0;
  }

  /**
   * Asked for each round, in place of {@link #isDue}: rounds without work do not count, so that one
   * is timed after the other until there is some.
   */
  boolean isRoundDue() {
    return left <= 1;
  }

  /** There was work in a round that was not timed. */
  void worked() {
    left--;
  }

  /**
   * Whether this one is timed as a whole.
   *
   * @param isCompiled whether all go another way than element by element
   */
  boolean isWhole(boolean isCompiled) {
    boolean isWhole = isCompiled && isWholeNext;
    isWholeNext = !isWhole;
    return isWhole;
  }

  /** A burst was timed as a whole. */
  void timedWhole(long startNs, long endNs) {
    wholeNs = average(wholeNs, (double) (endNs - startNs));
    next(startNs);
  }

  /**
   * A burst was timed element by element.
   *
   * @param counts whether anything was done
   * @param isCompiled as {@link #isWhole} was told
   */
  void timedSteps(long startNs, long endNs, boolean counts, boolean isCompiled) {
    if (!counts) {
      timer.count(0, 0);
      return;
    }
    next(startNs);
    double ns = Math.max(1, endNs - startNs);
    double scale = stepsNs == 0 ? 1 : Math.min(1, OUTLIER * stepsNs / ns);
    stepsNs = average(stepsNs, ns);
    if (isCompiled && wholeNs > 0) {
      scale *= Math.min(1, wholeNs / stepsNs);
    }
    timer.count(passed, scale);
    passed = 0;
  }

  private static double average(double before, double ns) {
    return before == 0 ? ns : before + (Math.min(ns, OUTLIER * before) - before) / AVERAGED;
  }

  private void next(long nowNs) {
    passed += period;
    boolean isEarly = nowNs - lastNs < PERIOD_NS;
    lastNs = nowNs;
    period = isEarly ? Math.min(MOST_BURSTS, 2 * period) : Math.max(1, period / 2);
    left = period;
  }
}
