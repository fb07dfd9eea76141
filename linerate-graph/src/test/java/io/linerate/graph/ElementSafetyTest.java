package io.linerate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.BurstHandler;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.testkit.Frames;
import io.linerate.testkit.Packets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever an element does with what it was given, packets end once and the program lives. */
class ElementSafetyTest {
  private static final int FRAMES = 200;

  @TempDir Path folder;
  private String source = "";

  @BeforeEach
  void writeCapture() {
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (byte[] frame : Frames.numbered(FRAMES, 64)) {
        writer.write(packets.of(frame));
      }
    }
    source = "pcap:rx=" + file;
  }

  private record Given(
      Wiring wiring, Outlet out, PacketQueue queue, PacketGroup group, Crossing crossing) {}

  /** An element that does with its bursts what a test wants. */
  private record Any(Function<Given, BurstHandler> handler) implements Element {
    @Override
    public Shape shape() {
      return Shape.inOut().crossing();
    }

    @Override
    public void open(Wiring wiring) {
      Given given =
          new Given(
              wiring,
              wiring.output("out"),
              wiring.queue(100),
              wiring.group(100),
              wiring.crossing(100, false));
      wiring.input("in", handler.apply(given));
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

  private PacketCounts run(Element... elements) {
    try (Engine engine = new Engine()) {
      engine.port("in", source);
      GraphRunner.install(graph(elements), engine);
      PacketCounts packets = engine.run().packets();
      assertThat(packets.received()).isEqualTo(FRAMES);
      assertThat(packets.isConserved()).isTrue();
      assertThat(packets.inFlight()).isZero();
      return packets;
    }
  }

  private static Throwable onAnotherThread(Runnable action) {
    return CompletableFuture.supplyAsync(() -> catchThrowable(action::run)).join();
  }

  @Test
  void shouldRefuseWhatAnElementIsGivenOnOtherThreads() {
    List<Throwable> thrown = new ArrayList<>();
    run(
        new Any(given ->
            burst -> {
              given.queue.add(burst.packet(0));
              given.group.add(burst.packet(1));
              for (Runnable action : misuses(given, burst)) {
                thrown.add(onAnotherThread(action));
              }
              given.out.push(burst);
              given.queue.sendTo(given.out, 1);
              given.group.sendTo(given.out);
            }));
    assertThat(thrown).isNotEmpty().hasOnlyElementsOfType(WrongThreadException.class);
  }

  @Test
  void shouldCopyWhatWasMadeAtTheSameOutput() {
    List<byte[]> seen = new ArrayList<>();
    run(
        new Any(given ->
            burst -> {
              Packet made = Objects.requireNonNull(given.out.create(60));
              for (int i = 0; i < 60; i++) {
                made.u8(i, i);
              }
              assertThat(given.out.copy(made)).isTrue();
              burst.dropAll(DropReason.CONSUMED);
            }),
        new Any(given ->
            burst -> {
              burst.forEach(packet -> seen.add(packet.toBytes()));
              given.out.push(burst);
            }));
    byte[] wanted = new byte[60];
    for (int i = 0; i < 60; i++) {
      wanted[i] = (byte) i;
    }
    assertThat(seen).isNotEmpty().allMatch(bytes -> Arrays.equals(bytes, wanted));
  }

  @Test
  void shouldCountWhatAGroupHoldsWhenItsPacketsAreDroppedOneByOne() {
    List<Integer> sizes = new ArrayList<>();
    run(
        new Any(given ->
            burst -> {
              given.group.add(burst.packet(0));
              given.group.add(burst.packet(1));
              given.group.packet(0).drop(DropReason.CONSUMED);
              sizes.add(given.group.size());
              given.group.dropAll(DropReason.CONSUMED);
              given.out.push(burst);
            }));
    assertThat(sizes).isNotEmpty().containsOnly(1);
  }

  @Test
  void shouldHaveRoomInAGroupWhosePacketsWereSentOneByOne() {
    List<Boolean> added = new ArrayList<>();
    run(
        new Any(given ->
            burst -> {
              for (Packet packet : burst) {
                added.add(given.group.add(packet));
                given.out.send(given.group.packet(0));
              }
            }));
    assertThat(added).hasSize(FRAMES).containsOnly(true);
  }

  /** Asks for its output twice. */
  private record Twice() implements Element {
    @Override
    public void open(Wiring wiring) {
      Outlet first = wiring.output("out");
      Outlet second = wiring.output("out", DropReason.CONSUMED);
      wiring.input(
          "in",
          burst -> {
            first.send(burst.packet(0));
            second.push(burst);
          });
    }
  }

  @Test
  void shouldSendWhatGoesToAnOutputThatWasAskedForTwice() {
    assertThat(run(new Twice()).dropped()).containsOnlyKeys("consumed");
  }

  private static List<Runnable> misuses(Given given, Burst burst) {
    Packet packet = burst.packet(2);
    return List.of(
        () -> given.out.push(burst),
        () -> given.out.send(packet),
        () -> given.out.create(60),
        () -> given.out.copy(packet),
        () -> given.queue.add(packet),
        () -> given.queue.sendTo(given.out, 1),
        () -> given.queue.drop(1, DropReason.CONSUMED),
        () -> given.group.add(packet),
        () -> given.group.poolBuffers(0),
        () -> given.group.sendTo(given.out),
        () -> given.group.dropAll(DropReason.CONSUMED),
        () -> given.crossing.put(burst),
        () -> given.crossing.sendTo(given.out, 1),
        () -> given.crossing.finish(given.out),
        () -> given.crossing.dropAll(DropReason.CONSUMED));
  }

  @Test
  void shouldRegisterNothingOnceAnElementIsOpen() {
    List<Throwable> thrown = new ArrayList<>();
    run(
        new Any(given ->
            burst -> {
              thrown.add(catchThrowable(() -> given.wiring.output("out", DropReason.CONSUMED)));
              thrown.add(catchThrowable(() -> given.wiring.queue(1)));
              thrown.add(catchThrowable(() -> given.wiring.onRound(() -> 0)));
              given.out.push(burst);
            }));
    assertThat(thrown)
        .isNotEmpty()
        .allSatisfy(refused ->
            assertThat(refused)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("element is wired already: element=any1; "));
  }

  /** The next element empties the queue of the one before while that one empties it itself. */
  @Test
  void shouldSendNoPacketTwiceWhenAQueueIsEmptiedOnTheWay() {
    PacketQueue[] queue = new PacketQueue[1];
    Any storing =
        new Any(given -> {
          queue[0] = given.queue;
          given.wiring.onRound(() -> given.queue.sendTo(given.out, 1));
          return burst -> {
            for (Packet packet : burst) {
              given.queue.add(packet);
            }
            if (given.queue.size() > given.wiring.maxBurst()) {
              given.queue.sendTo(given.out, 100);
            }
          };
        });
    Any emptying =
        new Any(given ->
            burst -> {
              given.out.push(burst);
              queue[0].sendTo(given.out, 100);
            });
    assertThat(run(storing, emptying).dropped().keySet()).isSubsetOf("consumed", "stopped");
  }

  /**
   * Makes more and more packets before it pushes its burst, and others afterwards, which come back
   * to itself.
   */
  private record Around() implements Element {
    private static final int AFTERWARDS = 2;
    private static final int MADE_BYTES = 60;

    @Override
    public Shape shape() {
      return Shape.inOut().output("again").buffered();
    }

    @Override
    public void open(Wiring wiring) {
      Outlet out = wiring.output("out");
      Outlet again = wiring.output("again");
      int[] rounds = new int[1];
      wiring.input(
          "in",
          burst -> {
            if (burst.packet(0).length() == MADE_BYTES) {
              burst.dropAll(DropReason.OTHER);
              return;
            }
            rounds[0]++;
            for (int i = 0; i < rounds[0]; i++) {
              assertThat(again.create(MADE_BYTES)).isNotNull();
            }
            out.push(burst);
            for (int i = 0; i < AFTERWARDS; i++) {
              assertThat(again.create(MADE_BYTES)).isNotNull();
            }
          });
    }
  }

  @Test
  void shouldHandOnWhatWasPushedWhateverComesBackMeanwhile() {
    Graph graph =
        Graph.of(g -> {
          Node around = g.add("around", new Around());
          g.chain(g.add("in", new FromPort("in")), around, g.add("end", new Discard()));
          g.chain(around.out("again"), around);
        });
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withRxBurst(1))) {
      engine.port("in", source);
      GraphRunner runner = GraphRunner.install(graph, engine);
      PacketCounts packets = engine.run().packets();
      assertThat(runner.counts("end").packetsIn()).isEqualTo(FRAMES);
      assertThat(packets.dropped()).containsEntry("consumed", (long) FRAMES);
      assertThat(packets.dropped().keySet()).containsOnly("consumed", "other");
      assertThat(packets.isConserved()).isTrue();
    }
  }

  @Test
  void shouldTakeNoMorePacketsWhenAnElementHasLeft() throws Exception {
    CompletableFuture<Given> left = new CompletableFuture<>();
    CompletableFuture<List<Object>> tried = new CompletableFuture<>();
    Any first =
        new Any(given -> {
          left.complete(given);
          return given.out::push;
        });
    Any next =
        new Any(given ->
            burst -> {
              Given old = left.join();
              Packet packet = burst.packet(0);
              Throwable made = catchThrowable(() -> old.out.create(60));
              tried.complete(
                  List.of(
                      old.queue.add(packet), old.group.add(packet), old.crossing.put(burst), made));
              given.out.push(burst);
            });
    try (Engine engine = new Engine()) {
      engine.port("in", source + ",loop=forever");
      GraphRunner runner = GraphRunner.install(graph(first), engine);
      engine.start();
      runner.change(graph(next));
      List<Object> results = tried.get(60, TimeUnit.SECONDS);
      assertThat(results).startsWith(false, false, 0);
      assertThat(results.getLast())
          .isInstanceOf(IllegalStateException.class)
          .hasToString(
              "java.lang.IllegalStateException: element has left the graph: element=any1, port=out");
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(engine.summary().packets().isConserved()).isTrue();
    }
  }
}
