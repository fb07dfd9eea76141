package io.linerate.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Element;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphInvoker;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.graph.Overflow;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenCounts;
import io.linerate.graph.TokenCrossing;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueuesTest {
  private static final long COUNT = 60_000;

  private final List<Long> seen = new ArrayList<>();

  private static GraphRunner runToEnd(Graph graph, int workers) {
    try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(workers))) {
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.run();
      return runner;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 4_096})
  @Timeout(60)
  void shouldBringAllTokensToTheOtherWorkerInOrder(int capacity) {
    AtomicLong next = new AtomicLong();
    AtomicLong wrong = new AtomicLong();
    LongConsumer check =
        token -> {
          if (token != next.getAndIncrement()) {
            wrong.incrementAndGet();
          }
        };
    Graph graph =
        Streams.graph(s ->
            s.longs("numbers", Sources.range(0, COUNT / 3))
                .flatMap(
                    "thrice",
                    () ->
                        (n, out) -> {
                          out.accept(3 * n);
                          out.accept(3 * n + 1);
                          out.accept(3 * n + 2);
                        })
                .on("handover", 1, capacity)
                .mapToObject("boxed", Long.class, n -> n)
                .on("back", 0, capacity)
                .mapToLong("unboxed", n -> n)
                .sink("sink", check));
    GraphRunner runner = runToEnd(graph, 2);
    assertThat(wrong).hasValue(0);
    assertThat(next).hasValue(COUNT);
    assertThat(runner.counts("handover").tokens())
        .isEqualTo(new TokenCounts(COUNT, COUNT, Map.of(), 0));
  }

  /** Each waits for the other if it does not empty its own queue meanwhile. */
  @Test
  @Timeout(60)
  void shouldNotLetWorkersWaitForEachOther() {
    AtomicLong there = new AtomicLong();
    AtomicLong back = new AtomicLong();
    Graph graph =
        Streams.graph(s -> {
          s.longs("first", Sources.range(0, COUNT / 100), 0)
              .flatMap("many", () -> (n, out) -> LongStream.range(0, 100).forEach(out))
              .on("there", 1, 3)
              .sink("end", there::addAndGet);
          s.longs("second", Sources.range(0, COUNT / 100), 1)
              .flatMap("more", () -> (n, out) -> LongStream.range(0, 100).forEach(out))
              .on("back", 0, 3)
              .queue("own", 2)
              .sink("other", back::addAndGet);
        });
    GraphRunner runner = runToEnd(graph, 2);
    assertThat(there).hasValue(COUNT / 100 * 4_950);
    assertThat(back).hasValue(COUNT / 100 * 4_950);
    assertThat(runner.counts("own").tokens().in()).isEqualTo(COUNT);
  }

  @Test
  void shouldDropWhatIsNewOrWhatIsOldOnceItIsFull() {
    for (Overflow overflow : List.of(Overflow.DROP, Overflow.KEEP_NEWEST)) {
      seen.clear();
      Graph graph =
          Streams.graph(s ->
              s.longs("one", Sources.range(0, 1))
                  .flatMap("many", () -> (_, out) -> LongStream.range(0, 100).forEach(out))
                  .queue("queue", 10, overflow)
                  .sink("sink", seen::add));
      try (var invoker = new GraphInvoker(graph, () -> 0)) {
        invoker.round();
        invoker.round();
        assertThat(seen)
            .containsExactlyElementsOf(
                LongStream.range(0, 10)
                    .map(n -> overflow == Overflow.DROP ? n : n + 90)
                    .boxed()
                    .toList());
        assertThat(invoker.counts().get("queue").tokens())
            .isEqualTo(new TokenCounts(100, 10, Map.of("queue_full", 90L), 0));
      }
    }
  }

  @Test
  void shouldSayInTheSummaryWhichTokensWereDropped() {
    Graph graph =
        Streams.graph(s ->
            s.longs("one", Sources.range(0, 1))
                .flatMap("many", () -> (_, out) -> LongStream.range(0, 100).forEach(out))
                .queue("queue", 10, Overflow.DROP)
                .filter("odd", n -> n / (n % 2) > 0)
                .sink("sink", seen::add));
    try (var engine = new Engine(EngineConfig.DEFAULT)) {
      GraphRunner _ = GraphRunner.install(graph, engine);
      RunSummary summary = engine.run();
      assertThat(summary.droppedTokens()).isEqualTo(Map.of("queue_full", 90L, "handler_error", 5L));
      assertThat(summary.toString())
          .contains("tokens dropped as queue_full: 90", "tokens dropped as handler_error: 5");
    }
  }

  /** Stores what it was not made for. */
  private record Mistaken(TokenType type) implements Element {
    @Override
    public Shape shape() {
      return Shape.NONE
          .tokenInput("in", TokenType.LONGS)
          .tokenOutput("out", TokenType.LONGS)
          .crossing();
    }

    @Override
    public void open(Wiring wiring) {
      TokenCrossing tokens = wiring.tokenCrossing(type, 10, Overflow.DROP);
      wiring.longs(
          "in",
          token -> {
            switch ((int) token) {
              case 0 -> tokens.put(token);
              case 1 -> tokens.put((double) token);
              case 2 -> tokens.put((Object) "text");
              default -> tokens.put((Object) 7);
            }
          });
    }
  }

  @Test
  void shouldRefuseTokensOfAnotherTypeThanTheQueue() {
    for (TokenType type :
        List.of(TokenType.LONGS, TokenType.DOUBLES, TokenType.of(CharSequence.class))) {
      Graph graph =
          Streams.graph(s -> {
            Node mistaken = s.graph().add("mistaken", new Mistaken(type));
            s.longs("numbers", Sources.range(0, 4)).to(mistaken);
            s.longs(mistaken).sink("sink", seen::add);
          });
      try (var invoker = new GraphInvoker(graph, () -> 0)) {
        invoker.round();
        assertThat(invoker.counts().get("mistaken").tokens().dropped())
            .isEqualTo(Map.of("handler_error", 3L));
        assertThat(invoker.failure().orElseThrow())
            .contains("token is of another type than the queue: element=mistaken, queue=" + type);
      }
    }
  }

  @Test
  void shouldLeadBackThroughAQueue() {
    Graph graph =
        Streams.graph(s -> {
          Node again =
              s.graph().add("again", new QueueActor(TokenType.LONGS, 16, Overflow.HOLD_BACK));
          LongTokens back = s.longs(again);
          Split<LongTokens> parts =
              s.longs("numbers", Sources.longs(() -> LongStream.of(27, 6)))
                  .merge(back)
                  .split("isOne", n -> n == 1);
          parts.matching().sink("sink", seen::add);
          parts.rest().map("collatz", n -> n % 2 == 0 ? n / 2 : 3 * n + 1).to(again);
        });
    try (var invoker = new GraphInvoker(graph, () -> 0)) {
      for (int i = 0; i < 120; i++) {
        invoker.round();
      }
      assertThat(seen).containsExactly(1L, 1L);
      assertThat(invoker.counts().get("collatz").tokens().in()).isEqualTo(111 + 8);
    }
  }

  /** A part that counts up to ten: what it gives comes back by its queue. */
  private static Graph countingPart() {
    return Streams.graph(s -> {
      List<LongTokens> both =
          s.longsIn("in").filter("below", n -> n < 10).map("plus", n -> n + 1).copies("both", 2);
      both.get(0).out("out");
      both.get(1).queue("queue", 16).out("again");
    });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(60)
  void shouldEmptyCyclesBeforeTheProgramEnds(boolean isLeftToTheEngine) {
    Graph graph =
        Streams.graph(s -> {
          LongTokens numbers = s.longs("numbers", Sources.range(0, 3));
          Node part = s.graph().add("part", countingPart());
          (isLeftToTheEngine ? numbers.anywhere("stage", 16) : numbers).to(part.in("in"));
          s.longs(part.out("again")).to(part.in("in"));
          s.longs(part.out("out")).sink("sink", seen::add);
        });
    GraphRunner runner = runToEnd(graph, 1);
    assertThat(seen)
        .containsExactlyInAnyOrderElementsOf(
            LongStream.range(0, 3)
                .flatMap(n -> LongStream.rangeClosed(n + 1, 10))
                .boxed()
                .toList());
    assertThat(runner.counts("part/queue").tokens())
        .isEqualTo(new TokenCounts(27, 27, Map.of(), 0));
  }

  /** Nobody would give what comes to a batch again, once it has given its last. */
  @Test
  void shouldCountWhatIsSentIntoACycleAtTheVeryEnd() {
    Graph graph =
        Streams.graph(s -> {
          Node again =
              s.graph().add("again", new QueueActor(TokenType.LONGS, 16, Overflow.HOLD_BACK));
          List<LongTokens> both =
              s.longs("numbers", Sources.range(0, 3))
                  .merge(s.longs(again))
                  .filter("below", n -> n < 10)
                  .map("plus", n -> n + 1)
                  .copies("both", 2);
          both.get(0).sink("sink", seen::add);
          both.get(1)
              .batch("batch", 100, Duration.ofDays(1))
              .flatMapToLong("apart", () -> (all, out) -> LongStream.of(all).forEach(out))
              .to(again);
        });
    GraphRunner runner = runToEnd(graph, 1);
    assertThat(seen).containsExactly(1L, 2L, 3L);
    assertThat(runner.counts("apart").tokens()).isEqualTo(new TokenCounts(1, 3, Map.of(), 0));
    assertThat(runner.counts("again").tokens())
        .isEqualTo(new TokenCounts(3, 0, Map.of("stopped", 3L), 0));
  }

  /** One that nothing ever leaves. */
  @Test
  @Timeout(60)
  void shouldCountWhatAnEndlessCycleHasAtTheEnd() {
    AtomicLong rounds = new AtomicLong();
    try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(1))) {
      Graph graph =
          Streams.graph(s -> {
            Node again =
                s.graph().add("again", new QueueActor(TokenType.LONGS, 16, Overflow.HOLD_BACK));
            s.longs("numbers", Sources.range(0, 3))
                .merge(s.longs(again))
                .filter(
                    "stops",
                    _ -> {
                      if (rounds.incrementAndGet() == 1_000) {
                        engine.stop();
                      }
                      return true;
                    })
                .to(again);
          });
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.run();
      TokenCounts counts = runner.counts("again").tokens();
      assertThat(counts.dropped()).isEqualTo(Map.of("stopped", 3L));
      assertThat(counts.in()).isEqualTo(counts.out() + 3);
    }
  }

  @Test
  void shouldExplainWhoDoesWhatWhere() {
    Graph graph =
        Streams.graph(s ->
            s.longs("numbers", Sources.range(0, 3))
                .map("twice", n -> 2 * n)
                .on("handover", 1, 16)
                .sink("sink", seen::add));
    try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(2))) {
      String text = GraphRunner.install(graph, engine).explain();
      assertThat(text.lines().map(line -> line.strip().replaceAll(" +", " ")))
          .containsExactly(
              "worker 0: receives nothing",
              "numbers SourceActor -(long)-> twice",
              "twice StepActor -(long)-> handover",
              "handover QueueActor => worker 1",
              "worker 1: receives nothing",
              "handover QueueActor -(long)-> sink",
              "sink SinkActor");
      engine.run();
    }
  }
}
