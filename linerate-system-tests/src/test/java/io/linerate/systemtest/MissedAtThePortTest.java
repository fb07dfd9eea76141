package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.port.Port;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.graph.Element;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.Queue;
import io.linerate.graph.element.ToPort;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketSource;
import io.linerate.testkit.VethPair;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A live port brings more than a pipeline can take: the port misses it, nothing is lost inside. */
class MissedAtThePortTest {
  private static final String FAR = "lr-missed0";
  private static final String NEAR = "lr-missed1";
  private static final int BATCH = 1_000;
  private static final long TIMEOUT_NS = 120_000_000_000L;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip");
  }

  /** Lets nothing through until it is open. */
  private record Gate(CountDownLatch opening) implements Element {
    @Override
    public Shape shape() {
      return Shape.inOut();
    }

    @Override
    public void open(Wiring wiring) {
      Outlet out = wiring.output("out");
      wiring.input(
          "in",
          burst -> {
            opening.await();
            out.push(burst);
          });
    }
  }

  private static Graph pipeline(CountDownLatch opening) {
    return Graph.of(g -> {
      Node in = g.add("in", new FromPort("in"));
      Node gate = g.add("gate", new Gate(opening));
      g.chain(in, g.add("queue", new Queue(256)), gate, g.add("out", new ToPort("out")));
      g.on(0, in).on(1, gate);
    });
  }

  /** Sends a batch of frames, and returns how many the kernel took. */
  private static long send() {
    try (Engine engine = new Engine()) {
      Output output = engine.worker().output(engine.port("packet:" + FAR));
      engine
          .worker()
          .input(
              new PacketSource(engine.drivers().pools(), Frames.numbered(BATCH, 1_000)),
              output::sendAll);
      return engine.run().packets().sent();
    }
  }

  private static void await(BooleanSupplier isDone) {
    long start = System.nanoTime();
    while (!isDone.getAsBoolean() && System.nanoTime() - start < TIMEOUT_NS) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"packet:" + NEAR + ",rx=256", "xdp:" + NEAR})
  void shouldShowTheLossAtThePortAndLoseNothingInside(String address) {
    EngineConfig config = EngineConfig.DEFAULT.withWorkers(2).withDescriptors(64).withBuffers(512);
    CountDownLatch opening = new CountDownLatch(1);
    try (VethPair _ = VethPair.make(FAR, NEAR);
        Engine engine = new Engine(config)) {
      Port in = engine.port("in", address);
      engine.port("out", "pcap:tx=" + folder.resolve("out.pcap"));
      GraphRunner.install(pipeline(opening), engine);
      engine.start();
      long sent = 0;
      while (in.statistics().missed() == 0 && sent < 1_000_000) {
        sent += send();
      }
      opening.countDown();
      long arrived = sent;
      await(() -> in.statistics().rxPackets() + in.statistics().missed() >= arrived);
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();

      PacketCounts packets = engine.summary().packets();
      assertThat(in.statistics().missed()).isPositive();
      assertThat(in.statistics().missed() + packets.received()).isEqualTo(sent);
      assertThat(packets.dropped()).isEmpty();
      assertThat(packets.sent()).isEqualTo(packets.received()).isPositive();
      assertThat(packets.isConserved()).isTrue();
    } finally {
      opening.countDown();
    }
  }
}
