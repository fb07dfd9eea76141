package io.linerate.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphInvoker;
import io.linerate.graph.GraphProblem;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.TokenCounts;
import io.linerate.graph.element.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ActorsTest {
  private final List<Object> seen = new ArrayList<>();

  private void see(Object token) {
    seen.add(token);
  }

  private static void run(Graph graph) {
    try (var invoker = new GraphInvoker(graph, () -> 0)) {
      for (int i = 0; i < 5; i++) {
        invoker.round();
      }
    }
  }

  @Test
  void shouldMapAndFilterNumbersAndObjects() {
    run(
        Streams.graph(s ->
            s.longs("numbers", Sources.range(0, 10))
                .map("square", n -> n * n)
                .filter("even", n -> n % 2 == 0)
                .mapToDouble("half", n -> n / 2.0)
                .mapToObject("text", String.class, Double::toString)
                .filter("short", text -> text.length() < 4)
                .mapToLong("length", String::length)
                .mapToObject("boxed", Long.class, n -> n)
                .sink("sink", this::see)));
    assertThat(seen).containsExactly(3L, 3L, 3L);
  }

  @Test
  void shouldMakeManyTokensOfOne() {
    run(
        Streams.graph(s ->
            s.objects("words", String.class, Sources.objects(() -> Stream.of("ab", "", "cde")))
                .flatMapToLong("letters", () -> (word, out) -> word.chars().forEach(out::accept))
                .flatMap(
                    "twice",
                    () ->
                        (letter, out) -> {
                          out.accept(letter);
                          out.accept(letter);
                        })
                .mapToObject("letter", String.class, n -> Character.toString((int) n))
                .sink("sink", this::see)));
    assertThat(seen).containsExactly("a", "a", "b", "b", "c", "c", "d", "d", "e", "e");
  }

  @Test
  void shouldSplitCopyAndMerge() {
    run(
        Streams.graph(s -> {
          Split<LongTokens> parts =
              s.longs("numbers", Sources.range(1, 7)).split("odd", n -> n % 2 == 1);
          List<LongTokens> copies = parts.matching().copies("copies", 2);
          copies
              .get(0)
              .map("minus", n -> -n)
              .merge(copies.get(1))
              .merge(parts.rest())
              .sink("sink", this::see);
        }));
    assertThat(seen).containsExactly(-1L, 1L, 2L, -3L, 3L, 4L, -5L, 5L, 6L);
  }

  @Test
  void shouldMakeTokensOfPackets() {
    Graph graph =
        Streams.graph(s ->
            s.packets("in", "wire")
                .alsoToLong("first", packet -> packet.u8(0), firsts -> firsts.sink("f", this::see))
                .through("count", new Counter())
                .map("length", Integer.class, Packet::length)
                .filter("some", length -> length > 2)
                .sink("sink", this::see));
    try (var invoker = new GraphInvoker(graph, () -> 0)) {
      invoker.receive("wire", new byte[] {7, 8}, new byte[] {9, 10, 11});
      assertThat(invoker.counts().get("count").packetsIn()).isEqualTo(2);
      assertThat(invoker.counts().get("length").dropped()).isEqualTo(Map.of("consumed", 2L));
    }
    assertThat(seen).containsExactlyInAnyOrder(7L, 9L, 3);
  }

  @Test
  void shouldSkipATokenThatAnActorThrowsAt() {
    Graph graph =
        Streams.graph(s ->
            s.longs("numbers", Sources.range(0, 4))
                .map("inverse", n -> 12 / (n - 1))
                .mapToObject("text", String.class, n -> n == 6 ? null : "n" + n)
                .sink("sink", this::see));
    try (var invoker = new GraphInvoker(graph, () -> 0)) {
      invoker.round();
      assertThat(seen).containsExactly("n-12", "n12");
      assertThat(invoker.counts().get("inverse").tokens())
          .isEqualTo(new TokenCounts(4, 3, Map.of("handler_error", 1L), 0));
      assertThat(invoker.counts().get("text").tokens())
          .isEqualTo(new TokenCounts(3, 2, Map.of("handler_error", 1L), 0));
      assertThat(invoker.failure().orElseThrow()).contains("element=inverse", "/ by zero");
      assertThat(invoker.hasStopped()).isFalse();
    }
  }

  /** Numbers how many it has seen; throws at 2. */
  private static final class Numbering implements LongFlatMapper<LongConsumer> {
    private long count;

    @Override
    public void flatMap(long token, LongConsumer out) {
      if (token == 2) {
        throw new IllegalArgumentException("two");
      }
      count++;
      out.accept(count);
    }
  }

  @Test
  void shouldLetAnActorBeginAnewThatThrows() {
    run(
        Streams.graph(s ->
            s.supervise(Supervision.RESTART)
                .longs("numbers", Sources.range(0, 5))
                .flatMap("numbering", Numbering::new)
                .sink("sink", this::see)));
    assertThat(seen).containsExactly(1L, 2L, 1L, 2L);
  }

  /** It costs the actor that gives it, or cannot begin anew, and nobody before or behind it. */
  @Test
  void shouldBlameTheActorForNullAndForNotBeginningAnew() {
    AtomicLong made = new AtomicLong();
    Graph graph =
        Streams.graph(s ->
            s.supervise(Supervision.RESTART)
                .longs("numbers", Sources.range(0, 3))
                .map("same", n -> n)
                .flatMapToObject(
                    "texts",
                    String.class,
                    () -> {
                      if (made.getAndIncrement() > 0) {
                        throw new IllegalStateException("once only");
                      }
                      return (n, out) -> out.accept(n == 1 ? null : "n" + n);
                    })
                .queue("queue", 10)
                .sink("sink", this::see));
    try (var invoker = new GraphInvoker(graph, () -> 0)) {
      invoker.round();
      invoker.round();
      assertThat(seen).containsExactly("n0", "n2");
      assertThat(invoker.counts().get("texts").tokens())
          .isEqualTo(new TokenCounts(3, 2, Map.of("handler_error", 1L), 0));
      assertThat(invoker.counts().get("same").tokens().dropped()).isEmpty();
      assertThat(invoker.failure().orElseThrow()).contains("element=texts");
    }
  }

  /** Whatever kind of actor it is, and steps before it that are one method with it. */
  @Test
  void shouldHandleNothingMoreOnceAnActorHasStoppedTheProgram() {
    Map<String, Function<LongTokens, LongTokens>> actors =
        Map.of(
            "step", numbers -> numbers.map("step", n -> 12 / (n - 1)),
            "flat", numbers -> numbers.flatMap("flat", () -> (n, out) -> out.accept(12 / (n - 1))),
            "split",
                numbers -> {
                  Split<LongTokens> parts = numbers.split("split", n -> 12 / (n - 1) != 0);
                  return parts.matching().merge(parts.rest());
                });
    actors.forEach((name, actor) -> {
      seen.clear();
      Graph graph =
          Streams.graph(s -> {
            LongTokens first =
                s.supervise(Supervision.STOP)
                    .longs("numbers", Sources.range(0, 5))
                    .map("same", n -> n)
                    .filter("all", _ -> true);
            actor.apply(first).map("behind", n -> n).sink("sink", this::see);
          });
      try (var invoker = new GraphInvoker(graph, () -> 0)) {
        invoker.round();
        assertThat(invoker.hasStopped()).isTrue();
        assertThat(seen).as(name).hasSize(1);
        assertThat(invoker.counts().get(name).tokens())
            .isEqualTo(new TokenCounts(5, 1, Map.of("handler_error", 1L, "stopped", 3L), 0));
        assertThat(invoker.counts().get("all").tokens())
            .isEqualTo(new TokenCounts(5, 5, Map.of(), 0));
      }
    });
  }

  @Test
  void shouldMakeNoTokensOfPacketsOnceThatHasStoppedTheProgram() {
    Graph graph =
        Streams.graph(s ->
            s.supervise(Supervision.STOP)
                .packets("in", "wire")
                .mapToLong("inverse", packet -> 12 / (packet.u8(0) - 1))
                .sink("sink", this::see));
    try (var invoker = new GraphInvoker(graph, () -> 0)) {
      invoker.receive("wire", new byte[] {0}, new byte[] {1}, new byte[] {2}, new byte[] {3});
      assertThat(invoker.hasStopped()).isTrue();
      assertThat(seen).containsExactly(-12L);
      assertThat(invoker.counts().get("inverse").dropped())
          .isEqualTo(Map.of("consumed", 1L, "handler_error", 1L, "stopped", 2L));
    }
  }

  @Test
  void shouldNameEachActorThatHasFailedWithItsNumber() {
    Graph graph =
        Streams.graph(s ->
            s.longs("numbers", Sources.range(0, 9))
                .map("b", n -> 12 / (n - 1))
                .sink(
                    "p",
                    n -> {
                      if (n > 5) {
                        throw new IllegalArgumentException("too large");
                      }
                    }));
    try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(1))) {
      GraphRunner _ = GraphRunner.install(graph, engine);
      assertThat(engine.run().failures())
          .containsExactly(
              "element failed: element=b, worker=0, error=java.lang.ArithmeticException: / by zero, exceptions=1; see the log",
              "element failed: element=p, worker=0, error=java.lang.IllegalArgumentException: too large, exceptions=2; see the log");
    }
  }

  @Test
  void shouldSayWhichActorsDoNotFit() {
    Graph graph =
        Streams.graph(s -> {
          LongTokens numbers = s.longs("numbers", Sources.range(0, 5));
          numbers.sink("a", this::see);
          numbers.sink("a", this::see);
        });
    assertThat(graph.problems())
        .extracting(GraphProblem::toString)
        .containsExactly(
            "element name stands twice: element=a; give each element its own name",
            "output is connected 2 times, with a, a: element=numbers, port=out; put an element behind it that has an output for each");
  }

  @Test
  void shouldMakeOneTokenOfSeveralAndSeveralOfOne() {
    AtomicLong nowNs = new AtomicLong();
    Graph graph =
        Streams.graph(s ->
            s.longs("numbers", Sources.range(0, 8))
                .batch("threes", 3, Duration.ofNanos(10))
                .copies("copies", 2)
                .forEach(copy ->
                    copy.flatMapToLong(
                            "each" + copy.hashCode(),
                            () ->
                                (batch, out) -> {
                                  for (long n : batch) {
                                    out.accept(n);
                                  }
                                })
                        .mapToObject("boxed" + copy.hashCode(), Long.class, n -> n)
                        .batch("all" + copy.hashCode(), 100, Duration.ofSeconds(1))
                        .sink("sink" + copy.hashCode(), this::see)));
    try (var invoker = new GraphInvoker(graph, nowNs::get)) {
      invoker.round();
      assertThat(invoker.read("threes.waiting").text()).isEqualTo("2");
      nowNs.set(10);
      invoker.round();
      assertThat(invoker.read("threes.waiting").text()).isEqualTo("0");
    }
    List<Long> all = List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(seen).containsExactly(all, all);
  }

  @Test
  void shouldJoinTokensTwoByTwo() {
    Graph graph =
        Streams.graph(s -> {
          Tokens<String> words =
              s.objects("words", String.class, Sources.objects(() -> Stream.of("a", "b", "c")));
          Tokens<Integer> numbers =
              s.objects(
                  "numbers", Integer.class, Sources.objects(() -> Stream.of(1, 2, 3, 4, 5, 6)));
          words.join("join", numbers, String.class, 2, (w, n) -> w + n).sink("sink", this::see);
        });
    try (var invoker = new GraphInvoker(graph, () -> 0)) {
      invoker.round();
      invoker.end();
      assertThat(seen).containsExactly("a1", "b2");
      assertThat(invoker.counts().get("join").tokens().dropped())
          .isEqualTo(Map.of("queue_full", 3L, "without_partner", 2L));
    }
  }
}
