package io.linerate.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphInvoker;
import io.linerate.graph.GraphRunner;
import io.linerate.testkit.AllocationMeter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class KeyedJoinTest {
  private static final long SECOND_NS = 1_000_000_000;

  /** What somebody asked or answered. */
  private record Message(long id, double atS) {
    long atNs() {
      return Math.round(atS * SECOND_NS);
    }

    String key() {
      return "k" + id;
    }
  }

  private final List<String> seen = new ArrayList<>();

  private static JoinWindow<Message, Message> within(double seconds, double delayS) {
    return JoinWindow.<Message, Message>within(Duration.ofNanos(Math.round(seconds * SECOND_NS)))
        .at(Message::atNs, Message::atNs, Duration.ofNanos(Math.round(delayS * SECOND_NS)));
  }

  /** Of which side a message is. */
  private record Both(boolean isAnswer, Message message) {}

  private static Both ask(long id, double atS) {
    return new Both(false, new Message(id, atS));
  }

  private static Both answer(long id, double atS) {
    return new Both(true, new Message(id, atS));
  }

  private Graph graph(JoinWindow<Message, Message> window, boolean isByNumber, List<Both> all) {
    return graph(window, isByNumber, Sources.objects(all::stream));
  }

  private Graph graph(
      JoinWindow<Message, Message> window,
      boolean isByNumber,
      Supplier<Source<Consumer<Both>>> all) {
    return Streams.graph(s -> {
      Split<Tokens<Both>> sides =
          s.objects("all", Both.class, all).split("answers", Both::isAnswer);
      Tokens<Message> asked = sides.rest().map("asked", Message.class, Both::message);
      Tokens<Message> answered = sides.matching().map("answered", Message.class, Both::message);
      Tokens<String> joined =
          isByNumber
              ? asked
                  .keyBy(Message::id)
                  .join("join", answered.keyBy(Message::id), window, String.class, this::text)
              : asked
                  .keyBy(String.class, Message::key)
                  .join(
                      "join",
                      answered.keyBy(String.class, Message::key),
                      window,
                      String.class,
                      this::text);
      joined.sink("sink", seen::add);
    });
  }

  private String text(Message asked, Message answered) {
    return "%d %s-%s".formatted(asked.id(), asked.atS(), answered.atS());
  }

  private static Map<String, Long> run(Graph graph) {
    try (var invoker = new GraphInvoker(graph, () -> 0)) {
      for (int i = 0; i < 100; i++) {
        invoker.round();
      }
      invoker.end();
      return invoker.counts().get("join").tokens().dropped();
    }
  }

  @Test
  void shouldJoinTokensOfAKeyThatAreNotFarApart() {
    List<Both> all =
        List.of(
            ask(1, 1),
            answer(1, 3), // Just in time.
            answer(1, 3.1),
            ask(2, 3),
            ask(1, 4),
            answer(2, 2), // Before it was asked.
            ask(3, 9));
    assertThat(run(graph(within(2, 2), true, all))).isEqualTo(Map.of("without_partner", 1L));
    assertThat(seen).containsExactly("1 1.0-3.0", "1 4.0-3.0", "1 4.0-3.1", "2 3.0-2.0");
  }

  @Test
  void shouldDropWhatIsLateAndWhatThereIsNoRoomFor() {
    List<Both> all =
        List.of(
            ask(1, 1),
            ask(2, 1),
            ask(3, 1), // No room.
            answer(3, 1),
            answer(1, 1.5),
            answer(2, 1), // Joined, but there is no room to keep it.
            ask(5, 5),
            answer(1, 1.2)); // Too late.
    JoinWindow<Message, Message> window = within(2, 1).withMostTokens(2);
    assertThat(run(graph(window, true, all)))
        .isEqualTo(Map.of("queue_full", 2L, "late", 1L, "without_partner", 2L));
    assertThat(seen).containsExactly("1 1.0-1.5", "2 1.0-1.0");
  }

  @Test
  void shouldJoinByTheClockWhenTokensSayNoTime() {
    AtomicLong nowNs = new AtomicLong();
    Deque<Both> coming = new ArrayDeque<>();
    Supplier<Source<Consumer<Both>>> source =
        () ->
            (to, _) -> {
              Both next = coming.poll();
              if (next != null) {
                to.accept(next);
              }
              return next == null ? 0 : 1;
            };
    Graph graph = graph(JoinWindow.within(Duration.ofSeconds(2)), true, source);
    try (var invoker = new GraphInvoker(graph, nowNs::get)) {
      for (Both both : List.of(ask(1, 0), ask(2, 0), answer(1, 2), answer(2, 2.1))) {
        nowNs.set(both.message().atNs());
        coming.add(both);
        invoker.round();
      }
      assertThat(seen).containsExactly("1 0.0-2.0");
      assertThat(invoker.counts().get("join").tokens().dropped())
          .isEqualTo(Map.of("without_partner", 1L));
      assertThat(invoker.read("join.waiting").text()).isEqualTo("2");
      nowNs.addAndGet(3 * SECOND_NS);
      invoker.round();
      assertThat(invoker.read("join.waiting").text()).isEqualTo("0");
    }
  }

  /** As by comparing each with each, with numbers and objects for keys. */
  @Test
  void shouldFindAllPairs() {
    Random random = new Random(3);
    List<Both> all = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      double at = i / 100.0 + random.nextDouble(0.5);
      all.add(new Both(random.nextBoolean(), new Message(random.nextInt(60), at)));
    }
    List<String> expected = new ArrayList<>();
    for (Both one : all) {
      for (Both other : all) {
        Message asked = one.message();
        Message answered = other.message();
        if (!one.isAnswer()
            && other.isAnswer()
            && asked.id() == answered.id()
            && Math.abs(asked.atNs() - answered.atNs()) <= SECOND_NS / 2) {
          expected.add(text(asked, answered));
        }
      }
    }
    for (boolean isByNumber : List.of(true, false)) {
      seen.clear();
      Map<String, Long> dropped = run(graph(within(0.5, 1), isByNumber, all));
      assertThat(dropped).containsOnlyKeys("without_partner");
      assertThat(seen).containsExactlyInAnyOrderElementsOf(expected).hasSizeGreaterThan(1_000);
    }
  }

  @Test
  void shouldSayWhatIsWrong() {
    Graph graph = graph(within(-1, -1).withMostTokens(0), true, List.of());
    assertThat(graph.problems().stream().map(Object::toString))
        .containsExactly(
            "bad time: withinNs=-1000000000, element=join; write 0 or more",
            "bad delay: delayNs=-1000000000, element=join; write 0 or more",
            "bad limit: mostTokens=0, element=join; write 1 to 268435456");
  }

  /** Tokens are made before, results are the same object each time. */
  @Test
  @Timeout(600)
  void shouldAllocateNothingForAToken() {
    AllocationMeter meter = new AllocationMeter(100_000);
    AtomicLong clock = new AtomicLong();
    Message[] some =
        Stream.iterate(0L, i -> i + 1)
            .limit(1_000)
            .map(i -> new Message(i, 0))
            .toArray(Message[]::new);
    JoinWindow<Message, Message> window =
        JoinWindow.<Message, Message>within(Duration.ofNanos(1_500))
            .at(_ -> clock.get(), _ -> clock.get(), Duration.ZERO);
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withIdle(Idle.YIELD))) {
      Graph graph =
          Streams.graph(s -> {
            List<Tokens<Message>> both =
                s.longs("numbers", Sources.range(0, Long.MAX_VALUE))
                    .mapToObject(
                        "message",
                        Message.class,
                        n -> some[(int) (clock.incrementAndGet() % 1_000)])
                    .copies("copies", 2);
            both.getFirst()
                .keyBy(Message::id)
                .join(
                    "join",
                    both.getLast().keyBy(Message::id),
                    window,
                    Message.class,
                    (one, _) -> one)
                .sink(
                    "sink",
                    _ -> {
                      meter.add(1);
                      if (meter.isDone()) {
                        engine.stop();
                      }
                    });
          });
      GraphRunner.install(graph, engine);
      assertThat(engine.run().failures()).isEmpty();
    }
    meter.assertQuiet();
  }
}
