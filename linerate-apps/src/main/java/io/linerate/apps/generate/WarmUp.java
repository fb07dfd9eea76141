package io.linerate.apps.generate;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.worker.Engine;
import java.time.Duration;
import java.util.Optional;

/**
 * Sends to nobody for a moment, so that the code is compiled before the clock runs: an interpreted
 * generator is a hundred times slower, and would begin its run with a backlog.
 */
final class WarmUp {
  /** Below this rate the interpreter is fast enough. */
  private static final double SLOW_NS = 50_000;

  private static final Duration TIME = Duration.ofMillis(500);

  private WarmUp() {}

  /** Warms up if a rate of the plan needs it. */
  static void run(TrafficPlan plan) {
    boolean isNeeded =
        plan.phases().stream()
            .anyMatch(phase -> !phase.rate().isMax() && phase.rate().costNs(SizeMix.MIN) < SLOW_NS);
    if (!isNeeded) {
      return;
    }
    EngineConfig config = Generator.withRoom(EngineConfig.DEFAULT.withIdle(Idle.BUSY_SPIN));
    String loopback = "ring:warm-up,loopback";
    for (TrafficStream stream : plan.streams()) {
      TrafficStream fast = stream.at(Rate.pps(10e6));
      TrafficPlan once = TrafficPlan.of(fast, Optional.of(TIME), Long.MAX_VALUE);
      Traffic traffic = new Traffic(once, loopback, stream.isSequenced() ? loopback : null);
      try (Engine engine = new Engine(config)) {
        traffic.wireCold(engine);
        engine.start();
        boolean _ = engine.awaitEnd(TIME.toMillis());
      }
    }
  }
}
