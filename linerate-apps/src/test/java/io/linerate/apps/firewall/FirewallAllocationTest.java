package io.linerate.apps.firewall;

import static io.linerate.testkit.graph.FrameBuilder.B4;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.middlebox.rule.RuleSet;
import io.linerate.middlebox.rule.RulesFile;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Packets;
import io.linerate.testkit.graph.FrameBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The firewall on its worker allocates nothing per packet, drivers and engine included. */
class FirewallAllocationTest {
  private static final int PACKETS = 10_000;
  private static final int ROUND_PACKETS = 1_000_000;

  @TempDir Path folder;

  private Path capture() {
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (int i = 0; i < PACKETS; i++) {
        FrameBuilder four = (i % 2 == 0 ? tcp4() : udp4()).between("10.0.0." + i % 256, B4);
        writer.write((i % 10 == 0 ? udp6() : four).payload(10).toPacket(packets));
      }
    }
    return file;
  }

  @Test
  void shouldAllocateNothingPerPacket() {
    RuleSet rules =
        RulesFile.parse("r", "drop 10.0.0.7\ndrop 10.0.0.64/26 tcp\ndrop fd00::/8 udp\n", w -> {});
    AllocationMeter meter = new AllocationMeter(ROUND_PACKETS);
    RunSummary summary;
    try (Engine engine = new Engine()) {
      var in = engine.port("pcap:rx=" + capture() + ",loop=forever");
      var out = engine.worker().output(engine.port("pcap:tx=/dev/null"));
      Direction direction = new Direction("in", "out");
      RuleBook book = RuleBook.of(rules, List.of(direction));
      FirewallHandler handler =
          new FirewallHandler(
              book, book.newCounts(), direction, true, Optional.empty(), out::sendAll);
      engine
          .worker()
          .input(
              in,
              burst -> {
                int size = burst.size();
                handler.onBurst(burst);
                meter.add(size);
                if (meter.isDone()) {
                  engine.stop();
                }
              });
      summary = engine.run();
    }
    assertThat(summary.failures()).isEmpty();
    assertThat(summary.packets().isConserved()).isTrue();
    assertThat(summary.packets().sent()).isPositive();
    assertThat(summary.packets().dropped()).containsKey("rule");
    meter.assertQuiet();
  }
}
