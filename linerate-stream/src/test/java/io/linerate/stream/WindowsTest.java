package io.linerate.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphInvoker;
import io.linerate.graph.GraphProblem;
import io.linerate.graph.GraphRunner;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WindowsTest {
  private static final long SECOND_NS = 1_000_000_000;

  /** Something that somebody did. */
  private record Event(String who, double atS, long bytes) {
    long atNs() {
      return Math.round(atS * SECOND_NS);
    }
  }

  private final List<String> seen = new ArrayList<>();

  private void see(WindowResult<?, ?> result) {
    seen.add(
        "%s %s..%s %s"
            .formatted(
                result.key(),
                result.startNs() / SECOND_NS,
                result.endNs() / SECOND_NS,
                result.value()));
  }

  private static Supplier<Source<Consumer<Event>>> events(Event... events) {
    return Sources.objects(() -> Stream.of(events));
  }

  private static Map<String, Long> run(Graph graph, String actor) {
    try (var invoker = new GraphInvoker(graph, () -> 0)) {
      for (int i = 0; i < 5; i++) {
        invoker.round();
      }
      invoker.end();
      return invoker.counts().get(actor).tokens().dropped();
    }
  }

  @Test
  void shouldAddUpTheTokensOfEachKeyInEachWindow() {
    Window<Event> window =
        Window.<Event>tumbling(Duration.ofSeconds(10)).at(Event::atNs, Duration.ZERO);
    Graph graph =
        Streams.graph(s ->
            s.objects(
                    "events",
                    Event.class,
                    events(
                        new Event("a", 1, 10),
                        new Event("b", 2, 20),
                        new Event("a", 9.9, 30),
                        new Event("b", 10, 1),
                        new Event("a", 25, 2)))
                .keyBy(String.class, Event::who)
                .window("bytes", window, Aggregate.sum(Event::bytes))
                .results()
                .sink("sink", this::see));
    assertThat(run(graph, "bytes")).isEmpty();
    assertThat(seen).containsExactly("a 0..10 40", "b 0..10 20", "b 10..20 1", "a 20..30 2");
  }

  @Test
  void shouldWaitForLateTokensAsLongAsIsAllowed() {
    Window<Event> window =
        Window.<Event>tumbling(Duration.ofSeconds(10)).at(Event::atNs, Duration.ofSeconds(5));
    List<Event> late = new ArrayList<>();
    Graph graph =
        Streams.graph(s -> {
          Windowed<Long, Event, Long> windows =
              s.objects(
                      "events",
                      Event.class,
                      events(
                          new Event("a", 8, 1),
                          new Event("a", 14, 2),
                          new Event("a", 3, 4),
                          new Event("a", 15, 8),
                          new Event("a", 9, 16),
                          new Event("a", 12, 32)))
                  .keyBy(event -> event.who().length())
                  .window("bytes", window, Aggregate.sum(Event::bytes));
          windows.results().sink("sink", this::see);
          windows.late().sink("late", late::add);
        });
    assertThat(run(graph, "bytes")).isEmpty();
    assertThat(seen).containsExactly("1 0..10 5", "1 10..20 42");
    assertThat(late).containsExactly(new Event("a", 9, 16));
  }

  @Test
  void shouldCountLateTokensThatNobodyWants() {
    Window<Event> window =
        Window.<Event>tumbling(Duration.ofSeconds(10)).at(Event::atNs, Duration.ZERO);
    Graph graph =
        Streams.graph(s ->
            s.objects("events", Event.class, events(new Event("a", 11, 1), new Event("a", 1, 2)))
                .keyBy(Event::bytes)
                .window("count", window, Aggregate.count())
                .results()
                .sink("sink", this::see));
    assertThat(run(graph, "count")).isEqualTo(Map.of("late", 1L));
    assertThat(seen).containsExactly("1 10..20 1");
  }

  @Test
  void shouldLetWindowsOverlap() {
    Window<Event> window =
        Window.<Event>sliding(Duration.ofSeconds(10), Duration.ofSeconds(5))
            .at(Event::atNs, Duration.ZERO);
    Graph graph =
        Streams.graph(s ->
            s.objects("events", Event.class, events(new Event("a", 7, 1), new Event("a", 12, 2)))
                .keyBy(String.class, Event::who)
                .window("max", window, Aggregate.max(Event::bytes))
                .results()
                .sink("sink", this::see));
    run(graph, "max");
    assertThat(seen).containsExactly("a 0..10 1", "a 5..15 2", "a 10..20 2");
  }

  @Test
  void shouldCountTokensOfEachKey() {
    Graph graph =
        Streams.graph(s ->
            s.objects(
                    "events",
                    Event.class,
                    events(
                        new Event("a", 0, 1),
                        new Event("b", 0, 2),
                        new Event("a", 0, 4),
                        new Event("a", 0, 8)))
                .keyBy(String.class, Event::who)
                .window("pairs", Window.count(2), Aggregate.sum(Event::bytes))
                .results()
                .sink("sink", result -> seen.add(result.key() + " " + result.value())));
    run(graph, "pairs");
    assertThat(seen).containsExactly("a 5", "a 8", "b 2");
  }

  @Test
  void shouldEndWindowsWhenTheirTimeHasCome() {
    AtomicLong nowNs = new AtomicLong(3 * SECOND_NS);
    Graph graph =
        Streams.graph(s ->
            s.objects("events", Event.class, events(new Event("a", 0, 1)))
                .keyBy(String.class, Event::who)
                .window("count", Window.tumbling(Duration.ofSeconds(2)), Aggregate.count())
                .results()
                .sink("sink", this::see));
    try (var invoker = new GraphInvoker(graph, nowNs::get)) {
      invoker.round();
      nowNs.set(4 * SECOND_NS - 1);
      invoker.round();
      assertThat(seen).isEmpty();
      nowNs.set(4 * SECOND_NS);
      invoker.round();
      assertThat(seen).containsExactly("a 2..4 1");
    }
  }

  @Test
  void shouldBoundTheKeysOfAWindow() {
    Graph graph =
        Streams.graph(s ->
            s.longs("numbers", Sources.range(0, 100))
                .mapToObject("boxed", Long.class, n -> n)
                .keyBy(n -> n)
                .window(
                    "count",
                    Window.<Long>tumbling(Duration.ofSeconds(2)).withMostKeys(60),
                    Aggregate.count())
                .results()
                .sink("sink", this::see));
    assertThat(run(graph, "count")).isEqualTo(Map.of("too_many_keys", 40L));
    assertThat(seen).hasSize(60);
  }

  /** Names take no room of numbers, and what has none is counted for one key of its own. */
  @Test
  void shouldBoundKeysOfAClassByItselfAndSayInWhichWindowTheyWere() {
    WindowKeys keys = WindowKeys.of(3).with(String.class, 2).withRest("rest");
    Window<Event> window =
        Window.<Event>tumbling(Duration.ofSeconds(10))
            .at(Event::atNs, Duration.ZERO)
            .withKeys(keys);
    Graph graph =
        Streams.graph(s ->
            s.objects(
                    "events",
                    Event.class,
                    events(
                        IntStream.range(0, 20)
                            .mapToObj(i -> new Event(i < 10 ? "" : "k" + i % 5, i, i % 5))
                            .toArray(Event[]::new)))
                .keyBy(Object.class, e -> e.who().isEmpty() ? e.bytes() : e.who())
                .window("count", window, Aggregate.count())
                .results()
                .sink("sink", this::see));
    assertThat(run(graph, "count")).isEqualTo(Map.of("too_many_keys", 4L + 6L));
    assertThat(seen)
        .containsExactlyInAnyOrder(
            "0 0..10 2",
            "1 0..10 2",
            "2 0..10 2",
            "rest 0..10 4",
            "k0 10..20 2",
            "k1 10..20 2",
            "rest 10..20 6");
  }

  @Test
  void shouldTellTheTimeByMarksThatBelongToNoWindow() {
    Window<Event> window =
        Window.<Event>tumbling(Duration.ofSeconds(10))
            .at(Event::atNs, Duration.ZERO)
            .withMarks(event -> event.who().isEmpty());
    Graph graph =
        Streams.graph(s ->
            s.objects(
                    "events",
                    Event.class,
                    events(new Event("a", 1, 1), new Event("", 25, 2), new Event("a", 2, 4)))
                .keyBy(String.class, Event::who)
                .window("bytes", window, Aggregate.sum(Event::bytes))
                .results()
                .sink("sink", this::see));
    assertThat(run(graph, "bytes")).isEqualTo(Map.of("late", 1L));
    assertThat(seen).containsExactly("a 0..10 1");
  }

  /** The earliest and the latest that there are: what a capture says nobody has checked. */
  @Test
  void shouldNotOverflowWhateverTimeATokenSays() {
    List<Long> times = List.of(Long.MIN_VALUE, 15 * SECOND_NS, Long.MAX_VALUE, 16 * SECOND_NS);
    for (Window<Long> kind :
        List.of(
            Window.<Long>tumbling(Duration.ofSeconds(10)),
            Window.<Long>sliding(Duration.ofSeconds(10), Duration.ofSeconds(10)),
            Window.<Long>session(Duration.ofSeconds(10)))) {
      Window<Long> window = kind.at(at -> at, Duration.ofSeconds(1));
      List<WindowResult<?, Long>> results = new ArrayList<>();
      Graph graph =
          Streams.graph(s ->
              s.objects("times", Long.class, Sources.objects(times::stream))
                  .keyBy(String.class, _ -> "all")
                  .window("count", window, Aggregate.count())
                  .results()
                  .sink("sink", results::add));
      assertThat(run(graph, "count")).isEqualTo(Map.of("late", 1L));
      assertThat(results).extracting(WindowResult::value).containsExactly(1L, 1L, 1L);
      assertThat(results).isSortedAccordingTo(Comparator.comparingLong(WindowResult::startNs));
      assertThat(results).allMatch(result -> result.startNs() < result.endNs());
    }
  }

  @Test
  void shouldSayWhatIsWrongWithAWindow() {
    Graph graph =
        Streams.graph(s ->
            s.objects("events", Event.class, events())
                .keyBy(String.class, Event::who)
                .window(
                    "count",
                    Window.sliding(Duration.ofSeconds(1), Duration.ofSeconds(2)),
                    Aggregate.count())
                .results()
                .sink("sink", this::see));
    assertThat(graph.problems())
        .extracting(GraphProblem::toString)
        .containsExactly(
            "bad window: sizeNs=1000000000, slideNs=2000000000, element=count; a slide is as long as the size, or shorter");
  }

  /** What an actor hands on at its end still passes what is behind it. */
  @Test
  void shouldHandOnWhatIsLeftAtTheEndThroughAQueue() {
    Graph graph =
        Streams.graph(s ->
            s.objects("events", Event.class, events(new Event("a", 1, 10)))
                .keyBy(String.class, Event::who)
                .window("count", Window.count(5), Aggregate.count())
                .results()
                .queue("queue", 10)
                .queue("again", 10)
                .sink("sink", result -> seen.add(result.key() + " " + result.value())));
    assertThat(run(graph, "queue")).isEmpty();
    assertThat(seen).containsExactly("a 1");
  }

  /** Neither worker can wait for the other as a whole. */
  @Test
  @Timeout(60)
  void shouldHandOnWhatIsLeftAtTheEndWhereWorkersFeedEachOther() {
    Graph graph =
        Streams.graph(s ->
            s.longs("numbers", Sources.range(0, 3_000))
                .on("there", 1, 64)
                .mapToObject("boxed", Long.class, n -> n)
                .keyBy(n -> n)
                .window("count", Window.count(5), Aggregate.count())
                .results()
                .on("back", 0, 16)
                .sink("sink", this::see));
    try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(2))) {
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.run();
      assertThat(runner.counts("back").tokens().dropped()).isEmpty();
    }
    assertThat(seen).hasSize(3_000);
  }

  /** Results are those of one worker, whatever came to which. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  @Timeout(60)
  void shouldJoinWhatSeveralWorkersKnow(int workers) {
    Window<Event> window =
        Window.<Event>tumbling(Duration.ofSeconds(10)).at(Event::atNs, Duration.ofSeconds(1));
    int[] all = IntStream.range(0, workers).toArray();
    AtomicInteger next = new AtomicInteger();
    Supplier<Source<Consumer<Event>>> every =
        () -> {
          int first = next.getAndIncrement();
          return Sources.objects(() ->
                  IntStream.range(0, 30_000)
                      .filter(i -> i % workers == first)
                      .mapToObj(i -> new Event("k" + i % 7, i / 100.0, i)))
              .get();
        };
    Graph graph =
        Streams.graph(s ->
            s.objects("events", Event.class, every, all)
                .keyBy(String.class, Event::who)
                .windowOfAll("bytes", window, Aggregate.sum(Event::bytes), "all", 0, 64)
                .sink("sink", this::see));
    try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(workers))) {
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.run();
      assertThat(runner.counts("bytes").tokens().dropped()).isEmpty();
      assertThat(runner.counts("all").tokens().dropped()).isEmpty();
    }
    List<String> expected = new ArrayList<>();
    for (int start = 0; start < 300; start += 10) {
      Map<String, Long> sums = new TreeMap<>();
      for (int i = start * 100; i < (start + 10) * 100; i++) {
        sums.merge("k" + i % 7, (long) i, Long::sum);
      }
      for (Map.Entry<String, Long> sum : sums.entrySet()) {
        expected.add("%s %d..%d %d".formatted(sum.getKey(), start, start + 10, sum.getValue()));
      }
    }
    assertThat(seen).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(seen.stream().map(line -> line.replaceAll(".* (\\d+)\\.\\..*", "$1")))
        .isSortedAccordingTo(Comparator.comparing(Integer::valueOf));
  }

  private static Window<Event> session(int gapS, int delayS) {
    return Window.<Event>session(Duration.ofSeconds(gapS))
        .at(Event::atNs, Duration.ofSeconds(delayS));
  }

  private Graph sessions(Window<Event> window, Event... some) {
    return Streams.graph(s ->
        s.objects("events", Event.class, events(some))
            .keyBy(String.class, Event::who)
            .window("bytes", window, Aggregate.sum(Event::bytes))
            .results()
            .sink("sink", this::see));
  }

  @Test
  void shouldEndASessionWhenNothingHasComeForAGap() {
    Graph graph =
        sessions(
            session(10, 0),
            new Event("a", 1, 1),
            new Event("b", 2, 2),
            new Event("a", 9, 4),
            new Event("a", 12, 8), // Ends that of b.
            new Event("a", 22, 16), // A gap later is another session.
            new Event("b", 23, 32));
    assertThat(run(graph, "bytes")).isEmpty();
    assertThat(seen).containsExactly("b 2..12 2", "a 1..22 13", "a 22..32 16", "b 23..33 32");
  }

  /** What comes late joins two, and begins one earlier. */
  @Test
  void shouldMakeOneSessionOfTwoThatALateTokenJoins() {
    Graph graph =
        sessions(
            session(10, 20),
            new Event("a", 10, 1),
            new Event("a", 26, 2),
            new Event("a", 18, 4),
            new Event("a", 7, 8),
            new Event("a", 58, 16), // Ends the session, which would be over at 36.
            new Event("a", 29, 32), // Its session might have lasted.
            new Event("a", 28, 64)); // This is too late.
    assertThat(run(graph, "bytes")).isEqualTo(Map.of("late", 1L));
    assertThat(seen).containsExactly("a 7..36 15", "a 29..39 32", "a 58..68 16");
  }

  @Test
  void shouldEndSessionsByTheClockWhenTokensSayNoTime() {
    AtomicLong nowNs = new AtomicLong(3 * SECOND_NS);
    Graph graph = sessions(Window.session(Duration.ofSeconds(2)), new Event("a", 0, 1));
    try (var invoker = new GraphInvoker(graph, nowNs::get)) {
      invoker.round();
      nowNs.set(5 * SECOND_NS - 1);
      invoker.round();
      assertThat(seen).isEmpty();
      assertThat(invoker.read("bytes.keys").text()).isEqualTo("1");
      nowNs.set(5 * SECOND_NS);
      invoker.round();
      assertThat(seen).containsExactly("a 3..5 1");
      assertThat(invoker.read("bytes.keys").text()).isEqualTo("0");
    }
  }

  @Test
  void shouldBoundSessions() {
    Graph graph =
        Streams.graph(s ->
            s.longs("numbers", Sources.range(0, 100))
                .mapToObject("boxed", Long.class, n -> n)
                .keyBy(n -> n % 80)
                .window(
                    "count",
                    Window.<Long>session(Duration.ofSeconds(2)).withMostKeys(60),
                    Aggregate.count())
                .results()
                .sink("sink", this::see));
    assertThat(run(graph, "count")).isEqualTo(Map.of("too_many_keys", 20L));
    assertThat(seen).hasSize(60);
  }

  @Test
  void shouldSayWhatIsWrongWithASession() {
    assertThat(Window.session(Duration.ofSeconds(-1)).problems())
        .containsExactly("bad session: gapNs=-1000000000; write 1 or more");
    assertThat(session(1, 2_000).problems())
        .containsExactly(
            "too many sessions of a key at a time: gapNs=1000000000, delayNs=2000000000000; allow a delay of 1000 gaps, or less");
    assertThat(Window.session(Duration.ZERO).problems())
        .containsExactly("window of nothing: tokens=0, gapNs=0; write 1 or more of either");
    assertThat(
            Window.session(Duration.ofSeconds(1))
                .withKeys(WindowKeys.of(5).withRest("rest"))
                .problems())
        .containsExactly(
            "keys with room of their own, or a rest: keys=WindowKeys[most=5, mostOf={}, rest=Optional[rest]]; only windows of time have those");
    assertThat(Window.tumbling(Duration.ofSeconds(1)).withMarks(_ -> true).problems())
        .containsExactly("marks tell no time: add at(…), or leave out withMarks(…)");
  }

  /** By definition: sorted by time, and cut where there is a gap. */
  private static List<String> expectedSessions(List<Event> events, long gapNs) {
    List<String> expected = new ArrayList<>();
    Map<String, List<Event>> byKey = new TreeMap<>();
    events.forEach(e -> byKey.computeIfAbsent(e.who(), _ -> new ArrayList<>()).add(e));
    byKey.forEach((key, all) -> {
      all.sort(Comparator.comparingLong(Event::atNs));
      long start = all.getFirst().atNs();
      long last = start;
      long sum = 0;
      for (Event event : all) {
        if (event.atNs() - last >= gapNs) {
          expected.add(key + " " + start + " " + (last + gapNs) + " " + sum);
          start = event.atNs();
          sum = 0;
        }
        last = event.atNs();
        sum += event.bytes();
      }
      expected.add(key + " " + start + " " + (last + gapNs) + " " + sum);
    });
    return expected;
  }

  /** Whatever comes in which order, to whichever worker: the results are what is defined. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  @Timeout(60)
  void shouldJoinPartsOfSessionsOfSeveralWorkers(int workersOfAll) {
    int workers = Math.max(1, workersOfAll);
    Random random = new Random(7);
    List<Event> all = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      double at = i / 100.0 + random.nextDouble(2);
      all.add(new Event("k" + random.nextInt(200), at, i));
    }
    AtomicInteger next = new AtomicInteger();
    Supplier<Source<Consumer<Event>>> every =
        () -> {
          int first = next.getAndIncrement();
          return Sources.objects(() ->
                  IntStream.range(0, all.size())
                      .filter(i -> i % workers == first)
                      .mapToObj(all::get))
              .get();
        };
    Consumer<WindowResult<String, Long>> exact =
        r -> seen.add(r.key() + " " + r.startNs() + " " + r.endNs() + " " + r.value());
    Graph graph =
        Streams.graph(s -> {
          Keyed<String, Event> keyed =
              s.objects("events", Event.class, every, IntStream.range(0, workers).toArray())
                  .keyBy(String.class, Event::who);
          Tokens<WindowResult<String, Long>> results =
              workersOfAll == 0
                  ? keyed.window("bytes", session(1, 3), Aggregate.sum(Event::bytes)).results()
                  : keyed.windowOfAll(
                      "bytes", session(1, 3), Aggregate.sum(Event::bytes), "all", 0, 64);
          results.sink("sink", exact);
        });
    try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(workers))) {
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.run();
      assertThat(runner.counts("bytes").tokens().dropped()).isEmpty();
    }
    assertThat(seen)
        .containsExactlyInAnyOrderElementsOf(expectedSessions(all, SECOND_NS))
        .hasSizeGreaterThan(1_000);
    assertThat(seen.stream().map(line -> Long.valueOf(line.split(" ", -1)[2]))).isSorted();
  }

  /** The results of a window come together: what is said of all its keys needs no other actor. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  @Timeout(60)
  void shouldHandOnAllResultsOfAWindowInOneList(int workers) {
    Window<Event> window =
        Window.<Event>tumbling(Duration.ofSeconds(10)).at(Event::atNs, Duration.ofSeconds(1));
    int[] all = IntStream.range(0, workers).toArray();
    AtomicInteger next = new AtomicInteger();
    Supplier<Source<Consumer<Event>>> every =
        () -> {
          int first = next.getAndIncrement();
          return Sources.objects(() ->
                  IntStream.range(0, 3_000)
                      .filter(i -> i % workers == first)
                      .mapToObj(i -> new Event("k" + i % 7, i / 100.0, i)))
              .get();
        };
    Graph graph =
        Streams.graph(s ->
            s.objects("events", Event.class, every, all)
                .keyBy(String.class, Event::who)
                .wholeWindowOfAll("count", window, Aggregate.count(), "all", 0, 64)
                .map("largest", String.class, WindowsTest::largest)
                .sink("sink", seen::add));
    try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(workers))) {
      GraphRunner.install(graph, engine);
      engine.run();
    }
    assertThat(seen).containsExactly("0: k5 143 of 7", "10: k6 143 of 7", "20: k6 143 of 7");
  }

  @Test
  void shouldRefuseAWholeWindowOfSessions() {
    Graph graph =
        Streams.graph(s ->
            s.objects("events", Event.class, events())
                .keyBy(String.class, Event::who)
                .wholeWindowOfAll("count", session(5, 0), Aggregate.count(), "all", 0, 64)
                .sink("sink", _ -> {}));
    assertThat(graph.problems())
        .extracting(GraphProblem::toString)
        .anyMatch(text -> text.contains("whole window of sessions: gapNs=5000000000"));
  }

  /** The last in the alphabet of those with the greatest value. */
  private static String largest(List<WindowResult<String, Long>> results) {
    WindowResult<String, Long> largest =
        results.stream()
            .max(
                Comparator.<WindowResult<String, Long>>comparingLong(WindowResult::value)
                    .thenComparing(WindowResult::key))
            .orElseThrow();
    return "%d: %s %d of %d"
        .formatted(largest.startNs() / SECOND_NS, largest.key(), largest.value(), results.size());
  }

  /** A key that is the same object for all tokens. */
  private static final class Reused implements Comparable<Reused> {
    private long value;

    private Reused(long value) {
      this.value = value;
    }

    private Reused of(long next) {
      value = next;
      return this;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Reused one && one.value == value;
    }

    @Override
    public int hashCode() {
      return (int) value & 1; // Few: that they are told apart all the same is seen.
    }

    @Override
    public int compareTo(Reused other) {
      return Long.compare(value, other.value);
    }
  }

  @Test
  void shouldKeepKeysThatAreNewAndNoOthers() {
    List<Long> kept = new ArrayList<>();
    Reused key = new Reused(0);
    Graph graph =
        Streams.graph(s ->
            s.longs("numbers", Sources.range(0, 100))
                .mapToObject("boxed", Long.class, n -> n)
                .keyBy(
                    Reused.class,
                    n -> key.of(n % 7),
                    one -> {
                      kept.add(one.value);
                      return new Reused(one.value);
                    })
                .window("count", Window.tumbling(Duration.ofSeconds(2)), Aggregate.count())
                .results()
                .sink("sink", result -> seen.add(result.key().value + " " + result.value())));
    assertThat(run(graph, "count")).isEmpty();
    assertThat(kept).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
    assertThat(seen)
        .containsExactlyInAnyOrder("0 15", "1 15", "2 14", "3 14", "4 14", "5 14", "6 14");
  }

  /** Numbers that come when they are told to. */
  private static final class Given implements Source<Consumer<Event>> {
    private final ArrayDeque<Event> events = new ArrayDeque<>();

    @Override
    public int poll(Consumer<Event> to, int max) {
      int count = 0;
      for (; count < max && !events.isEmpty(); count++) {
        to.accept(events.remove());
      }
      return count;
    }
  }

  /** A clock, and what is given between its times. */
  private record Silent(GraphInvoker invoker, Given given, AtomicLong nowNs)
      implements AutoCloseable {
    void give(Event event) {
      given.events.add(event);
      invoker.round();
    }

    /** Rounds until then, so many that a worker is seen to have nothing to do. */
    void rest(double untilS) {
      nowNs.set(Math.round(untilS * SECOND_NS));
      for (int i = 0; i < 200; i++) {
        invoker.round();
      }
    }

    @Override
    public void close() {
      invoker.close();
    }
  }

  private Silent silent(Silence silence, boolean isOfAll) {
    Given given = new Given();
    AtomicLong nowNs = new AtomicLong(2 * SECOND_NS);
    Window<Event> window =
        Window.<Event>tumbling(Duration.ofSeconds(1))
            .at(Event::atNs, Duration.ofMillis(100))
            .whenSilent(silence);
    Graph graph =
        Streams.graph(s -> {
          Keyed<Long, Event> keyed =
              s.objects("events", Event.class, () -> given).keyBy(Event::bytes);
          Tokens<WindowResult<Long, Long>> results =
              isOfAll
                  ? keyed.windowOfAll("count", window, Aggregate.count(), "all", 0, 64)
                  : keyed.window("count", window, Aggregate.count()).results();
          results.sink("sink", this::see);
        });
    return new Silent(new GraphInvoker(graph, nowNs::get), given, nowNs);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldEndWindowsByTheClockWhereNothingComes(boolean isOfAll) {
    try (Silent silent = silent(Silence.FOLLOW_CLOCK, isOfAll)) {
      silent.give(new Event("a", 2.5, 1));
      silent.rest(4.05);
      assertThat(seen).isEmpty(); // A second, and the delay.
      silent.rest(4.1);
      assertThat(seen).containsExactly("1 2..3 1");
      silent.give(new Event("a", 3.2, 1));
      silent.rest(9);
      assertThat(seen).containsExactly("1 2..3 1", "1 3..4 1");
      silent.give(new Event("a", 3.3, 1));
      assertThat(silent.invoker.counts().get("count").tokens().dropped())
          .isEqualTo(Map.of("late", 1L));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Silence.class,
      names = {"LEAVE_OUT", "WAIT"})
  void shouldEndNoWindowByTheClockWhereTokensAloneSayTheTime(Silence silence) {
    try (Silent silent = silent(silence, true)) {
      silent.give(new Event("a", 2.5, 1));
      silent.rest(900);
      assertThat(seen).isEmpty();
      silent.give(new Event("a", 3.2, 1));
      assertThat(seen).containsExactly("1 2..3 1");
    }
  }

  /** Whichever worker is slow: what is recorded comes when it comes. */
  @Test
  @Timeout(60)
  void shouldWaitForAWorkerThatIsSilentForLong() throws InterruptedException {
    Window<Event> window =
        Window.<Event>tumbling(Duration.ofSeconds(1))
            .at(Event::atNs, Duration.ZERO)
            .whenSilent(Silence.WAIT);
    CountDownLatch isFirstDone = new CountDownLatch(1);
    Queue<Source<Consumer<Event>>> sources = new ConcurrentLinkedQueue<>();
    sources.add(Sources.objects(() -> Stream.of(new Event("a", 1, 1), new Event("a", 9, 1))).get());
    Source<Consumer<Event>> late =
        (to, _) -> {
          if (isFirstDone.getCount() > 0) {
            return 0;
          }
          to.accept(new Event("a", 1.5, 1));
          return Source.END;
        };
    sources.add(late);
    Graph graph =
        Streams.graph(s ->
            s.objects("events", Event.class, sources::remove, 0, 1)
                .keyBy(String.class, Event::who)
                .windowOfAll("count", window, Aggregate.count(), "all", 0, 64)
                .sink("sink", this::see));
    try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(2))) {
      GraphRunner.install(graph, engine);
      engine.start();
      TimeUnit.MILLISECONDS.sleep(2_500); // Longer than a worker is silent that is left out.
      isFirstDone.countDown();
      assertThat(engine.awaitEnd(30_000)).isTrue();
    }
    assertThat(seen).containsExactly("a 1..2 2", "a 9..10 1");
  }
}
