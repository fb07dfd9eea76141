package io.linerate.bench.jmh;

import io.linerate.bench.suite.Session;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * How thoroughly JMH measures.
 *
 * @param rounds over all methods, so that a change of the machine's mood meets all of them
 * @param warmUps iterations that are not counted, in each round
 * @param warmUpMs at least, of each
 * @param iterations that are, in each round
 * @param iterationMs at least, of each; an iteration ends with an invocation
 */
public record JmhEffort(int rounds, int warmUps, int warmUpMs, int iterations, int iterationMs) {
  private static final int MIN_ITERATIONS = 7;
  private static final int QUICK_WARM_UPS = 3;

  /** Of a quick session's budget, as JMH has some work of its own; and of that, to warm up. */
  private static final double QUICK_SHARE = 0.6;

  private static final double WARM_UP_SHARE = 0.7;

  /** From so many methods on there is one round over them. */
  private static final int MANY = 30;

  /**
   * What a session asks for.
   *
   * @param methods to measure, each set of parameters counted
   */
  public static JmhEffort of(Session session, int methods) {
    int iterations = Math.max(MIN_ITERATIONS, session.pairs());
    if (!session.quick()) {
      return new JmhEffort(methods < MANY ? 2 : 1, 5, 100, iterations, 50);
    }
    double eachMs = session.budget().toMillis() * QUICK_SHARE / Math.max(1, methods);
    return new JmhEffort(
        1,
        QUICK_WARM_UPS,
        atLeastOne(eachMs * WARM_UP_SHARE / QUICK_WARM_UPS),
        MIN_ITERATIONS,
        atLeastOne(eachMs * (1 - WARM_UP_SHARE) / MIN_ITERATIONS));
  }

  private static int atLeastOne(double ms) {
    return (int) Math.max(1, Math.min(ms, 200));
  }

  /** The same with fewer and shorter iterations before it counts, for what takes its time. */
  public JmhEffort shortened() {
    return new JmhEffort(1, 1, 1, iterations, 1);
  }

  TimeValue warmUpTime() {
    return TimeValue.milliseconds(warmUpMs);
  }

  TimeValue iterationTime() {
    return TimeValue.milliseconds(iterationMs);
  }
}
