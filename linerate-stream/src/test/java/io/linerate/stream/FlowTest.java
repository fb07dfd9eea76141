package io.linerate.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphInvoker;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Overflow;
import io.linerate.graph.TokenCounts;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FlowTest {
  private static final int COUNT = 5_000;
  private static final long MAX_WAIT_NS = TimeUnit.SECONDS.toNanos(60);

  private final TokenPublisher<Long> results = new TokenPublisher<>(16, Overflow.HOLD_BACK);

  private static Engine engine() {
    return new Engine(EngineConfig.DEFAULT.withWorkers(2));
  }

  private static void await(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - start).isLessThan(MAX_WAIT_NS);
      LockSupport.parkNanos(100_000);
    }
  }

  private static List<Long> numbers(long end) {
    return LongStream.range(0, end).boxed().toList();
  }

  /** From a publisher, on one worker, to the results, on the other. */
  private Graph through(Flow.Publisher<Long> publisher) {
    return Streams.graph(s ->
        s.objects("in", Long.class, Sources.publisher(publisher, 8))
            .mapToLong("unboxed", n -> n)
            .on("handover", 1, 8)
            .mapToObject("boxed", Long.class, n -> n)
            .publish("out", results));
  }

  private Graph counting(long end) {
    return Streams.graph(s ->
        s.longs("numbers", Sources.range(0, end)).on("handover", 1, 8).publish("out", results));
  }

  @Test
  void shouldBringAllTokensOfAPublisherToSlowSubscribersInOrder() {
    Receiving<Long> oneByOne = new Receiving<>(1);
    Receiving<Long> slow =
        new Receiving<>(3) {
          @Override
          public synchronized void onNext(Long token) {
            if (token % 500 == 0) {
              LockSupport.parkNanos(20_000_000); // Far longer than the queues have room for.
            }
            super.onNext(token);
          }
        };
    results.subscribe(oneByOne);
    results.subscribe(slow);
    try (Engine engine = engine()) {
      GraphRunner runner;
      try (SubmissionPublisher<Long> in = new SubmissionPublisher<>()) {
        runner = GraphRunner.install(through(in), engine);
        engine.start();
        await(in::hasSubscribers);
        numbers(COUNT).forEach(in::submit);
      }
      assertThat(oneByOne.all()).isEqualTo(numbers(COUNT));
      assertThat(slow.all()).isEqualTo(numbers(COUNT));
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(engine.summary().failures()).isEmpty();
      assertThat(runner.counts("out").tokens()).isEqualTo(new TokenCounts(COUNT, 0, Map.of(), 0));
      assertThat(runner.read("out.published").sum()).isEqualTo(COUNT);
    }
  }

  @Test
  void shouldKeepTheOrderOfEachWorkerThatFeedsAPublisher() {
    Receiving<Long> all = new Receiving<>(2);
    results.subscribe(all);
    Graph graph =
        Streams.graph(s ->
            s.longs("numbers", Sources.range(0, COUNT), 0, 1)
                .mapToObject("boxed", Long.class, n -> n)
                .publish("out", results));
    try (Engine engine = engine()) {
      GraphRunner.install(graph, engine);
      assertThat(engine.run().failures()).isEmpty();
      // Of two sequences that are in order, each number is there for the second time after it was
      // there for the first, and so those are in order, too.
      long[] seen = new long[COUNT];
      long[] next = new long[2];
      for (long token : all.all()) {
        int time = (int) seen[(int) token]++;
        assertThat(token).isEqualTo(next[time]++);
      }
      assertThat(next).containsOnly(COUNT);
    }
  }

  @Test
  void shouldDropWhatIsNewOrWhatIsOldOnceSubscribersAreSlower() {
    for (Overflow overflow : List.of(Overflow.DROP, Overflow.KEEP_NEWEST)) {
      TokenPublisher<Long> publisher = new TokenPublisher<>(4, overflow, Runnable::run);
      Receiving<Long> subscriber = new Receiving<>(0);
      publisher.subscribe(subscriber);
      Graph graph =
          Streams.graph(s ->
              s.longs("one", Sources.range(0, 1))
                  .flatMap("many", () -> (_, out) -> LongStream.range(0, 100).forEach(out))
                  .mapToObject("boxed", Long.class, n -> n)
                  .publish("out", publisher));
      try (var invoker = new GraphInvoker(graph, () -> 0)) {
        invoker.round();
        invoker.round();
        assertThat(subscriber.received()).isEmpty();
        subscriber.subscription().request(100);
        invoker.round();
        assertThat(subscriber.received())
            .containsExactlyElementsOf(
                LongStream.range(0, 4)
                    .map(n -> overflow == Overflow.DROP ? n : n + 96)
                    .boxed()
                    .toList());
        assertThat(invoker.counts().get("out").tokens())
            .isEqualTo(new TokenCounts(100, 0, Map.of("queue_full", 96L), 0));
      }
      assertThat(subscriber.all()).hasSize(4);
    }
  }

  @Test
  void shouldDropAsUnconnectedWhatNobodyHasSubscribedTo() {
    try (var invoker = new GraphInvoker(counting(20), () -> 0)) {
      for (int i = 0; i < 10; i++) {
        invoker.round();
      }
      assertThat(invoker.counts().get("out").tokens())
          .isEqualTo(new TokenCounts(20, 0, Map.of("unconnected", 20L), 0));
    }
  }

  @Test
  void shouldLetSubscribersCancel() {
    Receiving<Long> staying = new Receiving<>(5);
    Receiving<Long> leaving =
        new Receiving<>(5) {
          @Override
          public synchronized void onNext(Long token) {
            super.onNext(token);
            if (token == 9) {
              subscription().cancel();
            }
          }
        };
    results.subscribe(leaving);
    results.subscribe(staying);
    try (Engine engine = engine()) {
      GraphRunner.install(counting(COUNT), engine);
      engine.start();
      assertThat(staying.all()).isEqualTo(numbers(COUNT));
    }
    assertThat(leaving.received()).isEqualTo(numbers(10));
    assertThat(leaving.hasEnded()).isFalse();
  }

  @Test
  void shouldGoOnWithoutASubscriberThatThrows() {
    Receiving<Long> staying = new Receiving<>(5);
    Receiving<Long> throwing =
        new Receiving<>(5) {
          @Override
          public synchronized void onNext(Long token) {
            super.onNext(token);
            if (token == 9) {
              throw new IllegalArgumentException("nine");
            }
          }
        };
    results.subscribe(throwing);
    results.subscribe(staying);
    try (Engine engine = engine()) {
      GraphRunner.install(counting(COUNT), engine);
      engine.start();
      assertThat(staying.all()).isEqualTo(numbers(COUNT));
      assertThat(engine.summary().failures()).isEmpty();
    }
    assertThat(throwing.failure()).hasMessage("nine");
    assertThat(throwing.received()).isEqualTo(numbers(10));
  }

  @Test
  void shouldFailWithThePublisherWhenAllThatCameBeforeWasHandedOn() {
    Receiving<Long> subscriber = new Receiving<>(100);
    results.subscribe(subscriber);
    IllegalArgumentException why = new IllegalArgumentException("of the test");
    AtomicLong sunk = new AtomicLong();
    try (Engine engine = engine();
        SubmissionPublisher<Long> in = new SubmissionPublisher<>()) {
      Graph graph =
          Streams.graph(s -> {
            List<Tokens<Long>> both =
                s.objects("in", Long.class, Sources.publisher(in, 8)).copies("copies", 2);
            both.get(0).sink("sink", _ -> sunk.incrementAndGet());
            both.get(1).publish("out", results);
          });
      GraphRunner.install(graph, engine);
      engine.start();
      await(in::hasSubscribers);
      numbers(5).forEach(in::submit);
      await(() -> sunk.get() == 5);
      in.closeExceptionally(why);
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(subscriber.failure()).isSameAs(why);
      assertThat(engine.summary().failures())
          .singleElement()
          .asString()
          .contains("element has stopped the program: element=in", "of the test");
    }
  }

  /** A publisher that says nothing, and knows whether it was asked or cancelled. */
  private static final class Silent implements Flow.Publisher<Long>, Flow.Subscription {
    private final AtomicLong requested = new AtomicLong();
    private final AtomicInteger cancelled = new AtomicInteger();
    private final CompletableFuture<Flow.Subscriber<? super Long>> subscriber =
        new CompletableFuture<>();

    @Override
    public void subscribe(Flow.Subscriber<? super Long> next) {
      subscriber.complete(next);
      next.onSubscribe(this);
    }

    @Override
    public void request(long n) {
      requested.addAndGet(n);
    }

    @Override
    public void cancel() {
      cancelled.incrementAndGet();
    }
  }

  @Test
  void shouldEndWhenStoppedThoughAPublisherIsSilent() {
    Silent silent = new Silent();
    Receiving<Long> subscriber = new Receiving<>(1);
    results.subscribe(subscriber);
    try (Engine engine = engine()) {
      GraphRunner.install(through(silent), engine);
      engine.start();
      await(() -> silent.requested.get() == 8);
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(silent.cancelled).hasValue(1);
      assertThat(subscriber.all()).isEmpty();
      assertThat(engine.summary().failures()).isEmpty();
    }
    assertThat(silent.cancelled).hasValue(1);
  }

  @Test
  void shouldGoOnAndEndWhenStoppedThoughASubscriberAsksForNothing() {
    Receiving<Long> subscriber = new Receiving<>(0);
    results.subscribe(subscriber);
    try (Engine engine = engine()) {
      GraphRunner runner = GraphRunner.install(counting(Long.MAX_VALUE), engine);
      engine.start();
      await(() -> runner.counts("out").tokens().held() > 768); // From there on it holds back.
      assertThat(runner.read("out.published").sum()).isEqualTo(16); // The worker answers.
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      shouldHaveDroppedWhatIsBehindTheFirst16(runner);
      subscriber.subscription().request(100);
      assertThat(subscriber.all()).isEqualTo(numbers(16));
    }
  }

  private static void shouldHaveDroppedWhatIsBehindTheFirst16(GraphRunner runner) {
    TokenCounts counts = runner.counts("out").tokens();
    assertThat(counts.dropped()).containsOnlyKeys("stopped");
    assertThat(counts.held()).isZero();
    assertThat(counts.in()).isEqualTo(16 + counts.droppedTotal());
    assertThat(runner.read("out.published").sum()).isEqualTo(16);
  }

  @Test
  void shouldEndWhenStoppedThoughAnActorWaitsForRoom() {
    Receiving<Long> subscriber = new Receiving<>(0);
    results.subscribe(subscriber);
    Graph graph =
        Streams.graph(s ->
            s.longs("one", Sources.range(0, 1))
                .flatMap("many", () -> (_, out) -> LongStream.range(0, 3_000).forEach(out))
                .mapToObject("boxed", Long.class, n -> n)
                .publish("out", results));
    try (Engine engine = engine()) {
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.start();
      await(() -> runner.counts("out").tokens().held() == 1_024);
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      shouldHaveDroppedWhatIsBehindTheFirst16(runner);
      assertThat(runner.counts("out").tokens().in()).isEqualTo(3_000);
    }
  }

  @Test
  void shouldCancelWhenTheSourceLeavesTheGraph() {
    Silent silent = new Silent();
    try (Engine engine = engine()) {
      GraphRunner runner = GraphRunner.install(through(silent), engine);
      engine.start();
      await(() -> silent.requested.get() == 8);
      TokenPublisher<Long> others = new TokenPublisher<>(4, Overflow.DROP);
      Receiving<Long> subscriber = new Receiving<>(10);
      results.subscribe(subscriber);
      runner.change(
          Streams.graph(s ->
              s.objects("next", Long.class, Sources.publisher(new Silent(), 1))
                  .mapToLong("unboxed", n -> n)
                  .on("handover", 1, 8)
                  .mapToObject("boxed", Long.class, n -> n)
                  .publish("others", others)));
      assertThat(silent.cancelled).hasValue(1);
      assertThat(subscriber.all()).isEmpty();
      assertThat(engine.awaitEnd(0)).isFalse();
    }
  }

  @Test
  void shouldFailIfAPublisherSendsMoreThanWasAskedFor() {
    Silent silent = new Silent();
    try (Engine engine = engine()) {
      GraphRunner.install(through(silent), engine);
      CountDownLatch isHeld = new CountDownLatch(1);
      Receiving<Long> blocked =
          new Receiving<>(1) {
            @Override
            public synchronized void onNext(Long token) {
              await(() -> isHeld.getCount() == 0);
            }
          };
      results.subscribe(blocked);
      engine.start();
      await(() -> silent.requested.get() == 8);
      Flow.Subscriber<? super Long> worker = silent.subscriber.join();
      numbers(10_000).forEach(worker::onNext); // All queues together have room for less.
      isHeld.countDown();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(engine.summary().failures())
          .singleElement()
          .asString()
          .contains("publisher sends more than was asked for: capacity=8");
      assertThat(silent.cancelled).hasValue(1);
    }
  }

  @Test
  void shouldStreamTokensToAnotherThread() {
    try (Engine engine = engine();
        Stream<Long> stream = results.stream()) {
      GraphRunner.install(counting(COUNT), engine);
      engine.start();
      assertThat(stream.toList()).isEqualTo(numbers(COUNT));
    }
  }

  @Test
  void shouldCancelWhenAStreamIsClosed() {
    try (Engine engine = engine()) {
      GraphRunner runner = GraphRunner.install(counting(Long.MAX_VALUE), engine);
      try (Stream<Long> stream = results.stream()) {
        engine.start();
        assertThat(stream.limit(10).toList()).isEqualTo(numbers(10));
      }
      await(() -> runner.counts("out").tokens().dropped().containsKey("unconnected"));
      assertThat(engine.summary().failures()).isEmpty();
    }
  }

  @Test
  void shouldEndAStreamThatFails() {
    try (Engine engine = engine();
        SubmissionPublisher<Long> in = new SubmissionPublisher<>();
        Stream<Long> stream = results.stream()) {
      GraphRunner.install(through(in), engine);
      engine.start();
      await(in::hasSubscribers);
      in.closeExceptionally(new IllegalArgumentException("of the test"));
      assertThatThrownBy(stream::toList)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("stream has failed")
          .hasRootCauseMessage("of the test");
    }
  }

  @Test
  void shouldCloseStreamsOfSourcesThatAreNotUsedUp() {
    AtomicInteger closed = new AtomicInteger();
    Graph graph =
        Streams.graph(s ->
            s.longs(
                    "numbers",
                    Sources.longs(
                        () -> LongStream.range(0, Long.MAX_VALUE).onClose(closed::incrementAndGet)))
                .sink("sink", _ -> {}));
    try (var invoker = new GraphInvoker(graph, () -> 0)) {
      invoker.round();
      assertThat(closed).hasValue(0);
    }
    assertThat(closed).hasValue(1);
  }

  @Test
  void shouldRefuseAPublisherThatHasEnded() {
    try (var invoker = new GraphInvoker(counting(1), () -> 0)) {
      invoker.round();
    }
    Graph again = counting(1);
    assertThatThrownBy(() -> new GraphInvoker(again, () -> 0))
        .hasMessageContaining("publisher has ended: capacity=16");
  }

  @Test
  void shouldMakeAnObjectOfEachNumberForSubscribers() {
    TokenPublisher<Number> halves = new TokenPublisher<>(16, Overflow.HOLD_BACK);
    Receiving<Number> all = new Receiving<>(2);
    halves.subscribe(all);
    Graph graph =
        Streams.graph(s ->
            s.longs("numbers", Sources.range(0, COUNT))
                .mapToDouble("half", n -> n / 2.0)
                .publish("out", halves));
    try (Engine engine = engine()) {
      GraphRunner.install(graph, engine);
      assertThat(engine.run().failures()).isEmpty();
    }
    assertThat(all.all())
        .isEqualTo(LongStream.range(0, COUNT).<Number>mapToObj(n -> n / 2.0).toList());
  }
}
