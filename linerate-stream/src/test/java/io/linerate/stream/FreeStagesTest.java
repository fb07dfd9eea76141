package io.linerate.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.PlacedElement;
import io.linerate.graph.TokenCounts;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stages that are left to the engine. */
@Timeout(120)
class FreeStagesTest {
  private static final int MOVES = 200;

  private final AtomicBoolean isToEnd = new AtomicBoolean();
  private final AtomicLong given = new AtomicLong();
  private final AtomicLong arrived = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private final AtomicLong windows = new AtomicLong();

  /** Numbers from 0 on until it is to end. */
  private Source<LongConsumer> numbers() {
    return (to, max) -> {
      if (isToEnd.get()) {
        return Source.END;
      }
      for (int i = 0; i < max; i++) {
        to.accept(given.getAndIncrement());
      }
      return max;
    };
  }

  /** Numbers pass two stages, in order; what a window knows is handed on when all ends. */
  private Graph graph() {
    return Streams.graph(s ->
        s.longs("numbers", this::numbers)
            .anywhere("first", 1_000)
            .map("same", n -> n)
            .anywhere("second", 64)
            .mapToObject("boxed", Long.class, n -> n)
            .filter(
                "check",
                n -> {
                  if (n != arrived.getAndIncrement()) {
                    wrong.incrementAndGet();
                  }
                  return true;
                })
            .keyBy(n -> n % 10)
            .window("sums", Window.tumbling(Duration.ofDays(1)), Aggregate.count())
            .results()
            .anywhere("third", 4)
            .sink("sink", result -> windows.addAndGet(result.value())));
  }

  private static void await(long more, AtomicLong counter) {
    long before = counter.get();
    while (counter.get() < before + more) {
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void shouldRunStagesWhereverTheyAre(int workers) {
    try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(workers).withIdle(Idle.YIELD))) {
      GraphRunner runner = GraphRunner.install(graph(), engine);
      engine.start();
      await(50_000, arrived);
      isToEnd.set(true);
      assertThat(engine.awaitEnd(30_000)).isTrue();
      requireAll(runner);
    }
  }

  private void requireAll(GraphRunner runner) {
    assertThat(wrong).hasValue(0);
    assertThat(arrived).hasValue(given.get());
    assertThat(windows).hasValue(given.get());
    for (String queue : new String[] {"first", "second"}) {
      assertThat(runner.counts(queue).tokens())
          .isEqualTo(new TokenCounts(given.get(), given.get(), Map.of(), 0));
    }
  }

  @Test
  void shouldLoseAndReorderNothingWhenStagesMove() {
    try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(2).withIdle(Idle.YIELD))) {
      GraphRunner runner = GraphRunner.install(graph(), engine);
      engine.start();
      String[] stages = {"same", "check", "sink"};
      for (int i = 0; i < MOVES; i++) {
        runner.move(stages[i % 3], i / 3 % 2);
        await(2_000, arrived);
      }
      isToEnd.set(true);
      assertThat(engine.awaitEnd(30_000)).isTrue();
      assertThat(engine.summary().failures()).isEmpty();
      requireAll(runner);
    }
  }

  /** Whoever is ending when a stage comes: none is left behind. */
  @Test
  void shouldEndStagesThatAreOnTheirWay() throws InterruptedException {
    for (int i = 0; i < 30; i++) {
      given.set(0);
      arrived.set(0);
      windows.set(0);
      isToEnd.set(false);
      try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(2).withIdle(Idle.YIELD))) {
        GraphRunner runner = GraphRunner.install(graph(), engine);
        engine.start();
        await(1_000, arrived);
        Thread mover =
            Thread.startVirtualThread(() -> {
              for (int move = 0; move < 1_000 && !engine.awaitEnd(0); move++) {
                runner.move("same", move % 2);
              }
            });
        isToEnd.set(true);
        assertThat(engine.awaitEnd(30_000)).isTrue();
        requireAll(runner);
        mover.interrupt();
        assertThat(mover.join(Duration.ofSeconds(30))).isTrue();
      }
    }
  }

  /** Two stages that take long, which are said to take little, and so are on one worker. */
  private Graph uneven() {
    return Streams.graph(s ->
        s.longs("numbers", this::numbers)
            .anywhere("light", 64, 10)
            .map("same", n -> n)
            .anywhere("heavy", 64, 0.1)
            .map("work", FreeStagesTest::work)
            .anywhere("too", 64, 0.1)
            .map("more", FreeStagesTest::work)
            .sink("sink", _ -> arrived.incrementAndGet()));
  }

  /** So long that what workers do beside is little. */
  private static long work(long n) {
    long x = n | 1;
    for (int i = 0; i < 200_000; i++) {
      x = x * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
    }
    return x == 0 ? 1 : n;
  }

  private static String place(GraphRunner runner, String element) {
    String worker = "";
    String text = runner.explain();
    for (String line : text.lines().toList()) {
      if (!line.startsWith(" ")) {
        worker = line;
      } else if (line.strip().startsWith(element + " ")) {
        return worker.startsWith("on its way") ? place(runner, element) : worker;
      }
    }
    throw new AssertionError(text);
  }

  /**
   * Waits until the balancer has acted. Where workers do not get a CPU when they have something to
   * do, loads are not what the test means.
   */
  private static void awaitMove(BooleanSupplier hasMoved) throws InterruptedException {
    long endNs = System.nanoTime() + Duration.ofSeconds(40).toNanos();
    while (!hasMoved.getAsBoolean()) {
      assumeTrue(System.nanoTime() < endNs, "skipped: the CPUs are too busy to tell workers apart");
      Thread.sleep(200);
    }
  }

  /** However fast the machine is: two stages of the same load are on one of two workers. */
  @Test
  void shouldMoveAStageFromTheBusierWorker() throws InterruptedException {
    try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(2).withIdle(Idle.BACKOFF))) {
      GraphRunner runner = GraphRunner.install(uneven(), engine);
      assertThat(place(runner, "work")).isEqualTo(place(runner, "more"));
      engine.start();
      awaitMove(() -> !place(runner, "work").equals(place(runner, "more")));
      assertThat(runner.explain())
          .containsPattern(
              "moved by the balancer: it took \\d+ % of worker \\d, which was busy for \\d+ % of the time, worker \\d for \\d+ %");
      isToEnd.set(true);
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(arrived).hasValue(given.get());
    }
  }

  /** The same ones, put there by hand: for six times as long as the balancer takes. */
  @Test
  void shouldLeaveAStageThatWasMovedByHand() throws InterruptedException {
    try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(2).withIdle(Idle.BACKOFF))) {
      GraphRunner runner = GraphRunner.install(uneven(), engine);
      engine.start();
      for (String element : new String[] {"same", "work", "more"}) {
        runner.move(element, 1);
      }
      long endNs = System.nanoTime() + Duration.ofSeconds(3).toNanos();
      while (System.nanoTime() < endNs) {
        assertThat(place(runner, "more")).startsWith("worker 1");
        Thread.sleep(200);
      }
      assertThat(runner.explain()).contains("moved by hand: the balancer leaves it there");
      runner.move("more", PlacedElement.ANYWHERE);
      awaitMove(() -> !place(runner, "more").startsWith("worker 1"));
      isToEnd.set(true);
      assertThat(engine.awaitEnd(60_000)).isTrue();
    }
  }

  @Test
  void shouldSayWhereStagesAreAndWhy() {
    try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(2))) {
      GraphRunner runner =
          GraphRunner.install(
              Streams.graph(s ->
                  s.longs("numbers", this::numbers)
                      .anywhere("small", 16, 0.5)
                      .map("same", n -> n)
                      .anywhere("large", 16, 5)
                      .sink("sink", _ -> {})),
              engine);
      assertThat(runner.explain().lines().map(line -> line.strip().replaceAll(" +", " ")))
          .containsExactly(
              "worker 0: receives nothing",
              "numbers SourceActor -(long)-> small",
              "small QueueActor => worker 0",
              "stage left to the engine, placed at the start: worker 0 had least to do (1.0), the stage is said to take 0.5",
              "small QueueActor -(long)-> same",
              "same StepActor -(long)-> large",
              "large QueueActor => worker 1",
              "worker 1: receives nothing",
              "stage left to the engine, placed at the start: worker 1 had least to do (0.0), the stage is said to take 5.0",
              "large QueueActor -(long)-> sink",
              "sink SinkActor");
      runner.move("same", 1);
      assertThat(runner.explain())
          .contains("stage left to the engine, moved by hand")
          .contains("=> worker 1")
          .doesNotContain("=> worker 0");
      assertThatThrownBy(() -> runner.move("numbers", 1))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(
              "element is in no stage that is left to the engine: element=numbers");
      assertThatThrownBy(() -> runner.move("sink", 7))
          .isInstanceOf(ConfigException.class)
          .hasMessage("no such worker: worker=7; there are [0, 1]");
      isToEnd.set(true);
      engine.run();
    }
  }

  @Test
  void shouldCountWhatStagesThrow() {
    Graph graph =
        Streams.graph(s ->
            s.longs("numbers", Sources.range(0, 100))
                .anywhere("queue", 16)
                .map("inverse", n -> 1 / (n % 10))
                .sink("sink", _ -> arrived.incrementAndGet()));
    try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(2))) {
      GraphRunner runner = GraphRunner.install(graph, engine);
      RunSummary summary = engine.run();
      assertThat(summary.exceptions()).isEqualTo(10);
      assertThat(arrived).hasValue(90);
      assertThat(runner.counts("inverse").tokens().dropped()).containsEntry("handler_error", 10L);
    }
  }

  @Test
  void shouldRefuseWhatCannotBeLeftToTheEngine() {
    Graph graph =
        Streams.graph(s -> {
          LongTokens numbers = s.longs("numbers", this::numbers).anywhere("free", 16, 0);
          numbers.on("placed", 0, 16).sink("sink", _ -> {});
        });
    assertThat(graph.problems().stream().map(Object::toString))
        .containsExactly(
            "bad cost: cost=0.0, element=free; write more than 0",
            "what is left to the engine leads to what is not: element=placed; leave what is behind to the engine, too, or place both");
  }
}
