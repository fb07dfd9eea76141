package io.linerate.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.port.DriverPort;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Worker;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.element.Queue;
import io.linerate.testkit.FlowTraffic;
import io.linerate.testkit.Soak;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
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

  private static final int QUEUES = 4;
  private static final int NUMBER = 14;
  private static final int FLOW = 22;
  private static final int FLOWS = 64;

  /** Tokens of flows, each of which come in their order. */
  private static final class Flows implements LongConsumer {
    private final long[] next = new long[FLOWS];
    private volatile long count;
    private volatile long wrong;

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes.
    public void accept(long token) {
      int flow = (int) (token >>> 56);
      long number = token & 0xFF_FFFF_FFFF_FFFFL;
      if (number != next[flow]) {
        wrong++;
      }
      next[flow] = number + 1;
      count++;
    }
  }

  /** Tokens of all packets come to worker 1, whichever has received them. */
  private static Graph counting(Supplier<Flows> flows) {
    return Streams.graph(s ->
        s.packets("in", "in")
            .alsoToLong(
                "number",
                packet -> (packet.u64(FLOW) << 56) | packet.u64(NUMBER),
                tokens -> tokens.map("same", n -> n).on("collect", 1, 64).sinkBy("sink", flows))
            .through("queue", new Queue(1 << 14))
            .to("out", "out"));
  }

  @Test
  @Tag("sampled")
  void shouldLoseAndReorderNothingWhenEnginesComeAndGo() throws Exception {
    int turns = Soak.times(12, CHANGES);
    EngineConfig config =
        EngineConfig.DEFAULT
            .withTxRetryUs(1_000_000)
            .withIdle(Idle.YIELD)
            .withWorkers(2)
            .withQueues(QUEUES)
            .withMaxWorkers(4);
    Flows flows = new Flows();
    try (Engine engine = new Engine(config);
        FlowTraffic traffic = traffic(engine)) {
      GraphRunner runner = GraphRunner.install(counting(() -> flows), engine);
      engine.start();
      traffic.start();
      for (int turn = 0; turn < turns; turn++) {
        Worker added = engine.addWorker();
        engine.spread().get(120, TimeUnit.SECONDS);
        while (added.counts().received() == 0) {
          LockSupport.parkNanos(1_000_000);
        }
        traffic.collected();
        Worker oldest = engine.workers().getFirst();
        boolean mayGo = turn % 2 == 1 && oldest.id() != 1; // Worker 1 is bound to stay.
        engine.retire(mayGo ? oldest : added).get(120, TimeUnit.SECONDS);
      }
      traffic.finish();
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(flows.wrong).isZero();
      assertThat(flows.count).isEqualTo(engine.summary().packets().received()).isPositive();
      assertThat(engine.summary().failures()).isEmpty();
      assertThat(runner.counts("collect").tokens().dropped()).isEmpty();
    }
  }

  /** What is next of each flow: something else has been lost, overtaken or forgotten. */
  private static final class Next implements KeyedProcess<Long, LongValue, Long, Consumer<Long>> {
    private final AtomicLong wrong;

    Next(AtomicLong wrong) {
      this.wrong = wrong;
    }

    @Override
    public LongValue create(Long flow) {
      return new LongValue(0);
    }

    @Override
    public void process(LongValue next, Long token, Consumer<Long> out) {
      long number = token & 0xFF_FFFF_FFFF_FFFFL;
      if (number != next.value()) {
        wrong.incrementAndGet();
      }
      next.set(number + 1);
      out.accept(token);
    }
  }

  /** The keys of all flows are in one stage, whichever worker receives them, and runs it. */
  @Test
  @Tag("sampled")
  void shouldKeepKeysWhileReceiveQueuesMoveIfTheirStageIsOnOneWorker() throws Exception {
    AtomicLong wrong = new AtomicLong();
    AtomicLong count = new AtomicLong();
    Graph graph =
        Streams.graph(s ->
            s.packets("in", "in")
                .alsoToLong(
                    "number",
                    packet -> (packet.u64(FLOW) << 56) | packet.u64(NUMBER),
                    tokens ->
                        tokens
                            .anywhere("keys", 1_024)
                            .mapToObject("boxed", Long.class, n -> n)
                            .keyBy(n -> n >>> 56)
                            .process(
                                "next",
                                Long.class,
                                KeyedSettings.timingOutAfter(Duration.ofHours(1)),
                                () -> new Next(wrong))
                            .sink("sink", _ -> count.incrementAndGet()))
                .to("out", "out"));
    EngineConfig config =
        EngineConfig.DEFAULT
            .withTxRetryUs(1_000_000)
            .withIdle(Idle.YIELD)
            .withWorkers(2)
            .withQueues(QUEUES);
    try (Engine engine = new Engine(config);
        FlowTraffic traffic = traffic(engine)) {
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.start();
      traffic.start();
      for (int move = 0; move < Soak.times(40, CHANGES); move++) {
        Worker worker = engine.workers().get(move / QUEUES % 2);
        engine.move("in", move % QUEUES, worker).get(120, TimeUnit.SECONDS);
        runner.move("next", move / 3 % 2);
        traffic.collected();
      }
      traffic.finish();
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(wrong).hasValue(0);
      assertThat(count).hasValue(engine.summary().packets().received());
    }
  }

  private static FlowTraffic traffic(Engine engine) {
    engine.port("in", "ring:in,size=1024");
    DriverPort feed = engine.drivers().open("feed", "ring:in");
    engine.port("out", "ring:out,size=1024");
    DriverPort collect = engine.drivers().open("collect", "ring:out");
    return new FlowTraffic(engine, feed, collect, QUEUES, 20_000);
  }
}
