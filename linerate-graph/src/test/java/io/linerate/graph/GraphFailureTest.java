package io.linerate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.memory.Packet;
import io.linerate.core.time.EpochClock;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Worker;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.Queue;
import io.linerate.testkit.Frames;
import io.linerate.testkit.Packets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Elements that throw when they are opened, closed, read or written, or never return. */
class GraphFailureTest {
  @TempDir Path folder;
  private String source = "";
  private final List<String> events = new CopyOnWriteArrayList<>();

  @BeforeEach
  void writeCapture() {
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (byte[] frame : Frames.numbered(10, 64)) {
        writer.write(packets.of(frame));
      }
    }
    source = "pcap:rx=" + file;
  }

  /** What an element does when it is opened, after it has said that it is, and closed. */
  private record Opening(String name, List<String> events, OnOpen onOpen, AutoCloseable onClose)
      implements Element {
    interface OnOpen {
      void open(Wiring wiring, Outlet out);
    }

    @Override
    public void open(Wiring wiring) {
      events.add("open " + name + " on " + wiring.worker());
      wiring.onClose(() -> events.add("close " + name + " on " + wiring.worker()));
      wiring.onClose(onClose);
      Outlet out = wiring.output("out");
      wiring.input("in", out);
      onOpen.open(wiring, out);
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  private Opening element(String name) {
    return element(name, (_, _) -> {}, () -> {});
  }

  private Opening element(String name, Opening.OnOpen onOpen, AutoCloseable onClose) {
    return new Opening(name, events, onOpen, onClose);
  }

  private static AssertionError error(String text) {
    return new AssertionError(text);
  }

  /** An exception that throws when it is printed. */
  private static final class Unprintable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("wanted by the test");
    }
  }

  private static Graph graph(Element... elements) {
    return Graph.of(g -> {
      List<Node> nodes = new ArrayList<>(List.of(g.add("in", new FromPort("in"))));
      for (Element element : elements) {
        nodes.add(g.add("any" + nodes.size(), element));
      }
      nodes.add(g.add("end", new Discard()));
      g.chain(nodes.toArray(Node[]::new));
    });
  }

  private static EngineConfig twoWorkers() {
    return EngineConfig.DEFAULT.withWorkers(2).withIdle(Idle.YIELD);
  }

  @Test
  void shouldCloseWhatWasOpenedWhenALaterOneEndsInAnError() {
    Opening failing =
        element(
            "failing",
            (_, _) -> {
              throw error("of open");
            },
            () -> {});
    Graph good = graph(new Counter());
    Graph bad = graph(element("good"), failing);
    try (Engine engine = new Engine()) {
      engine.port("in", source + ",loop=forever");
      GraphRunner runner = GraphRunner.install(good, engine);
      engine.start();
      assertThatThrownBy(() -> runner.change(bad)).isInstanceOf(AssertionError.class);
      assertThat(runner.graph()).isEqualTo(good);
      assertThat(events)
          .containsExactlyInAnyOrder(
              "open good on 0", "open failing on 0", "close good on 0", "close failing on 0");
      runner.change(graph(new Counter(), new Counter()));
    }
    assertThat(catchThrowable(() -> new GraphInvoker(bad, EpochClock.SYSTEM)))
        .isInstanceOf(AssertionError.class);
    assertThat(events).filteredOn("close good on 0"::equals).hasSize(2);
  }

  @Test
  void shouldCloseWhatWasOpenedOnOneWorkerWhenAnotherCannot() {
    Opening onOneOnly =
        element(
            "one",
            (wiring, _) -> {
              if (wiring.worker() == 1) {
                throw error("of open");
              }
            },
            () -> {});
    try (Engine engine = new Engine(twoWorkers())) {
      engine.port("in", source);
      Graph graph =
          Graph.of(g -> {
            Node in = g.add("in", new FromPort("in"));
            Node one = g.add("one", onOneOnly);
            g.chain(in, one, g.add("end", new Discard()));
            g.on(0, in).on(1, in);
          });
      assertThatThrownBy(() -> GraphRunner.install(graph, engine))
          .isInstanceOf(AssertionError.class);
    }
    assertThat(events)
        .containsExactlyInAnyOrder(
            "open one on 0", "open one on 1", "close one on 0", "close one on 1");
  }

  @Test
  void shouldSayWhenItClosesThatAnElementCannotBeClosed() {
    for (Throwable thrown : List.of(new Unprintable(), error("of close"))) {
      Engine engine = new Engine();
      engine.port("in", source);
      GraphRunner.install(
          graph(element("one", (_, _) -> {}, () -> rethrow(thrown)), element("two")), engine);
      engine.run();
      assertThatThrownBy(engine::close)
          .hasMessageContainingAll(
              "element cannot be closed: element=any1, worker=0, error=",
              thrown.getClass().getName());
      assertThat(events).contains("close one on 0", "close two on 0");
      events.clear();
    }
  }

  @Test
  void shouldFailTheRunWhenAnElementThatLeavesCannotBeClosed() {
    try (Engine engine = new Engine()) {
      engine.port("in", source + ",loop=forever");
      GraphRunner runner =
          GraphRunner.install(
              graph(element("one", (_, _) -> {}, () -> rethrow(error("of close")))), engine);
      engine.start();
      runner.change(graph(new Counter()));
      assertThat(engine.summary().failures())
          .singleElement()
          .asString()
          .contains("element cannot be closed: element=any1, worker=0", "of close");
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void rethrow(Throwable thrown) throws T {
    throw (T) thrown;
  }

  /** Makes a packet each time when it is read or written. */
  private record Maker() implements Element {
    @Override
    public void open(Wiring wiring) {
      Outlet out = wiring.output("out");
      wiring.input("in", out);
      wiring.read("made", ValueType.TEXT, () -> made(out));
      wiring.write("make", ValueType.TEXT, _ -> made(out));
    }

    private static String made(Outlet out) {
      Packet packet = Objects.requireNonNull(out.create(60));
      return "length=" + packet.length();
    }
  }

  @Test
  void shouldHandOnWhatAnElementSendsWhenItIsReadOrWritten() {
    try (GraphInvoker invoker = new GraphInvoker(graph(new Maker()), () -> 0)) {
      assertThat(invoker.read("any1.made").values()).containsExactly("length=60");
      assertThat(invoker.counts().get("end").packetsIn()).isEqualTo(1);
      invoker.write("any1.make", "");
      assertThat(invoker.counts().get("end").packetsIn()).isEqualTo(2);
    }
  }

  /** Does not return before it may. */
  private record Stuck(CountDownLatch isStuck, CountDownLatch mayReturn) implements Element {
    @Override
    public void open(Wiring wiring) {
      Outlet out = wiring.output("out");
      wiring.input(
          "in",
          burst -> {
            isStuck.countDown();
            boolean _ = mayReturn.await(120, TimeUnit.SECONDS);
            out.push(burst);
          });
    }
  }

  private static Graph twoStages(Element first, Element second) {
    return Graph.of(g -> {
      Node in = g.add("in", new FromPort("in"));
      Node behind = g.add("behind", second);
      g.chain(in, g.add("before", first), g.add("queue", new Queue(1_024)), behind);
      g.chain(behind, g.add("end", new Discard()));
      g.on(0, in).on(1, behind);
    });
  }

  @Test
  @Tag("soak")
  void shouldFinishAChangeThatAWorkerKeepsWaiting() throws Exception {
    CountDownLatch isStuck = new CountDownLatch(1);
    CountDownLatch mayReturn = new CountDownLatch(1);
    Opening before = element("before");
    Graph old = twoStages(before, new Stuck(isStuck, mayReturn));
    Graph next = twoStages(new Counter(), element("behind"));
    try (Engine engine = new Engine(twoWorkers())) {
      engine.port("in", source + ",loop=forever");
      GraphRunner runner = GraphRunner.install(old, engine);
      engine.start();
      isStuck.await();
      assertThatThrownBy(() -> runner.change(next))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContainingAll("worker=1", "waitedS=");
      assertThat(runner.graph()).isEqualTo(next);
      assertThat(events).contains("close before on 0");
      CompletableFuture<Throwable> again =
          CompletableFuture.supplyAsync(() -> catchThrowable(() -> runner.change(old)));
      mayReturn.countDown();
      assertThat(again.get(60, TimeUnit.SECONDS)).isNull();
      assertThat(runner.graph()).isEqualTo(old);
      assertThat(events).contains("open behind on 1", "close behind on 1");
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(engine.summary().packets().isConserved()).isTrue();
    } finally {
      mayReturn.countDown();
    }
  }

  @Test
  void shouldChangeTheGraphAfterAWorkerThatCouldNotBeWired() throws Exception {
    try (Engine engine = new Engine(twoWorkers().withMaxWorkers(3))) {
      engine.port("in", source + ",loop=forever");
      GraphRunner runner = GraphRunner.install(graph(element("one")), engine);
      boolean[] isFirst = {true};
      engine.eachWorker(worker -> {
        if (worker.id() == 2 && isFirst[0]) {
          isFirst[0] = false;
          throw error("of the wiring");
        }
      });
      engine.start();
      assertThatThrownBy(engine::addWorker).isInstanceOf(AssertionError.class);
      CompletableFuture<Void> changed =
          CompletableFuture.runAsync(() -> runner.change(graph(element("two"))));
      changed.get(60, TimeUnit.SECONDS);
      Worker added = engine.addWorker();
      assertThat(added.id()).isEqualTo(2);
      runner.change(graph(element("three")));
    }
    assertThat(events).filteredOn(event -> event.startsWith("open")).isNotEmpty();
    for (String event : events) {
      if (event.startsWith("open")) {
        assertThat(events).contains(event.replace("open", "close"));
      }
    }
    assertThat(events).filteredOn(event -> event.endsWith(" one on 2")).hasSize(2);
  }

  @Test
  void shouldChangeNoGraphOfAClosedEngine() {
    Engine engine = new Engine();
    engine.port("in", source);
    GraphRunner runner = GraphRunner.install(graph(new Counter()), engine);
    engine.run();
    engine.close();
    assertThatThrownBy(() -> runner.change(graph(element("late"))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("engine is closed");
    assertThat(events).isEmpty();
  }
}
