package io.linerate.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Graphs of actors that are changed while tokens pass. */
@Timeout(120)
class LiveStreamsTest {
  private static final int CHANGES = 200;

  /** Numbers from 0 on until it is told to end. */
  private static final class Numbers implements Source<LongConsumer> {
    private final AtomicBoolean isToEnd;
    private final AtomicLong given;
    private long next;

    Numbers(AtomicBoolean isToEnd, AtomicLong given) {
      this.isToEnd = isToEnd;
      this.given = given;
    }

    @Override
    public int poll(LongConsumer to, int max) {
      if (isToEnd.get()) {
        return END;
      }
      for (int i = 0; i < max; i++) {
        to.accept(next++);
      }
      given.set(next);
      return max;
    }
  }

  /** What came to the end: each number once, in order, by either way. */
  private static final class Arrived implements LongConsumer {
    private volatile long count;
    private volatile long wrong;
    private long last = -1;

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes.
    public void accept(long token) {
      long number = token >>> 1;
      if (number != last + 1) {
        wrong++;
      }
      last = number;
      count++;
    }
  }

  private final AtomicBoolean isToEnd = new AtomicBoolean();
  private final AtomicLong given = new AtomicLong();
  private final Arrived arrived = new Arrived();

  /** So that these actors stay as they are: the same objects in each graph. */
  private record Ends(Supplier<Numbers> numbers, Supplier<LongConsumer> sink) {}

  private static Graph graph(Ends ends, String name, LongUnaryOperator stage) {
    return Streams.graph(s ->
        s.longs("numbers", ends.numbers)
            .queue("before", 1_000)
            .map(name, stage)
            .on("after", 1, 1_000)
            .sinkBy("sink", ends.sink));
  }

  @Test
  void shouldReplaceAStageUnderLoad() {
    Ends ends = new Ends(() -> new Numbers(isToEnd, given), () -> arrived);
    List<Graph> graphs =
        List.of(graph(ends, "even", n -> 2 * n), graph(ends, "odd", n -> 2 * n + 1));
    try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(2))) {
      GraphRunner runner = GraphRunner.install(graphs.getFirst(), engine);
      engine.start();
      for (int i = 1; i <= CHANGES; i++) {
        long before = arrived.count;
        runner.change(graphs.get(i % 2));
        while (arrived.count < before + 5_000) {
          LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
        }
      }
      isToEnd.set(true);
      assertThat(engine.awaitEnd(30_000)).isTrue();
      assertThat(arrived.wrong).isZero();
      assertThat(arrived.count).isEqualTo(given.get());
    }
  }
}
