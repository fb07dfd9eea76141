package io.linerate.middlebox.firewall;

import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.Element;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import io.linerate.middlebox.rule.Direction;
import io.linerate.middlebox.rule.RuleSet;
import io.linerate.middlebox.rule.RulesFile;
import io.linerate.testkit.Packets;
import io.linerate.testkit.Soak;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.track.TrackSettings;
import io.linerate.wire.Tcp;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of rules change while packets come as fast as they are taken. */
class RuleChangeTest {
  private static final int RULES = 10_000;
  private static final int FLOWS = 1_000;
  private static final String KNOWN = "pass state established\n";
  private static final Direction WAY = new Direction("in", "out");

  @TempDir Path folder;

  /** Connections that begin when the rules let them, and go on. */
  private Path capture() {
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (int i = 0; i < 2 * FLOWS; i++) {
        FrameBuilder frame =
            i % 2 == 0
                ? udp4().ports(1_000 + i, 53)
                : tcp4().ports(1_000 + i, 80).tcp(tcp -> tcp.flags(Tcp.SYN));
        writer.write(frame.between("10.0.0.1", "192.0.2.1").payload(10).toPacket(packets));
      }
    }
    return file;
  }

  /** None of them is about these connections. */
  private static RuleSet rules(int seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < RULES; i++) {
      text.append(
          "drop from 172.16.%d.0/%d to 198.51.%d.%d port %d %s\n"
              .formatted(
                  random.nextInt(256),
                  20 + random.nextInt(5),
                  random.nextInt(256),
                  random.nextInt(256),
                  random.nextInt(1_000),
                  random.nextBoolean() ? "tcp" : "udp"));
    }
    return RulesFile.parse("r", text + KNOWN + "default drop", _ -> {});
  }

  /** Counts packets. */
  private record Counted(AtomicLong count) implements Element {
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
            count.setPlain(count.getPlain() + burst.size());
            out.push(burst);
          });
    }
  }

  private static void await(AtomicLong count, long more) throws InterruptedException {
    long wanted = count.get() + more;
    while (count.get() < wanted) {
      Thread.sleep(1);
    }
  }

  @Test
  @Tag("sampled")
  void shouldLoseNoPacketAndNoConnectionWhileRulesChange() throws Exception {
    RuleBook book =
        RuleBook.of(RulesFile.parse("r", KNOWN + "pass state new", _ -> {}), List.of(WAY));
    Tracking tracking = new Tracking(4 * FLOWS, TrackSettings.DEFAULT);
    AtomicLong passed = new AtomicLong();
    int changes = Soak.times(1, 20);
    RunSummary summary;
    try (Engine engine = new Engine()) {
      engine.port("in", "pcap:rx=" + capture() + ",loop=forever,tx=/dev/null");
      Graph graph =
          Graph.of(g ->
              g.chain(
                  g.add("from", new FromPort("in")),
                  g.add("rules", new RuleFilter(book, WAY, true, Optional.of(tracking))),
                  g.add("passed", new Counted(passed)),
                  g.add("to", new ToPort("in"))));
      GraphRunner.install(graph, engine);
      Thread changing =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  await(passed, 4 * FLOWS); // All have begun.
                  for (int i = 0; i < changes; i++) {
                    book.replace(rules(i));
                    book.add("drop 203.0.113." + i, OptionalInt.of(0));
                    await(passed, 4 * FLOWS);
                  }
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                } finally {
                  engine.stop();
                }
              });
      summary = engine.run();
      changing.join();
    }
    assertThat(summary.failures()).isEqualTo(List.of());
    assertThat(summary.packets().isConserved()).isTrue();
    assertThat(summary.packets().droppedTotal()).isZero();
    assertThat(book.rules().rules()).hasSize(RULES + 2);
    assertThat(tracking.of(0, 0).table().size()).isEqualTo(2 * FLOWS);
  }
}
