package io.linerate.middlebox.firewall;

import static io.linerate.testkit.graph.FrameBuilder.B4;
import static io.linerate.testkit.graph.FrameBuilder.ethernet;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.middlebox.rule.Direction;
import io.linerate.middlebox.rule.RuleSet;
import io.linerate.middlebox.rule.RulesFile;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Packets;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.track.TrackSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The firewall on its worker allocates nothing per packet, drivers and engine included. */
class FirewallAllocationTest {
  private static final int PACKETS = 10_000;
  private static final byte[] HTTP = Client.http("d.example");
  private static final int ROUND_PACKETS = 1_000_000;

  @TempDir Path folder;

  private Path capture() {
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (int i = 0; i < PACKETS; i++) {
        FrameBuilder four = (i % 2 == 0 ? tcp4() : udp4()).between("10.0.0." + i % 256, B4);
        FrameBuilder question = udp4().ports(i, 53).payload(Client.dns(i % 3 + ".b.example"));
        FrameBuilder ip = i % 10 == 0 ? udp6().payload(10) : four.payload(10);
        ip = i % 7 == 0 ? question : i % 11 == 0 ? new Client(80).segment(0, HTTP) : ip;
        writer.write((i % 25 == 0 ? ethernet(0x88CC) : ip).toPacket(packets));
      }
    }
    return file;
  }

  /** Sources; all that rules can say; connections; names. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "drop 10.0.0.7;drop 10.0.0.64/26 tcp;drop fd00::/8 udp",
        "nonip pass arp,0x600;nonip drop lldp;drop vlan 5;drop tcp flags SF/SF;drop 10.0.0.64/26 udp"
            + " port 53;drop to fd00::1 udp;pass 10.0.0.9 limit 1000/s;pass 10.0.0.32/27 limit 9/s by source;drop tcp to !10.0.0.0/8",
        "pass state established;pass 10.0.0.0/25 state new;drop state invalid;nonip pass lldp;"
            + "default drop",
        "drop name a.example,*.b.example;drop to 198.51.100.2 name c.example;drop state invalid",
      })
  void shouldAllocateNothingPerPacket(String lines) {
    RuleSet rules = RulesFile.parse("r", lines.replace(';', '\n'), w -> {});
    Optional<StateReader> states =
        rules.hasStates() || rules.hasNames()
            ? Optional.of(
                new StateReader(
                    new Tracking(65_536, TrackSettings.DEFAULT, 64).of(0, System.nanoTime()),
                    System::nanoTime))
            : Optional.empty();
    AllocationMeter meter = new AllocationMeter(ROUND_PACKETS);
    RunSummary summary;
    try (Engine engine = new Engine()) {
      var in = engine.port("pcap:rx=" + capture() + ",loop=forever");
      var out = engine.worker().output(engine.port("pcap:tx=/dev/null"));
      Direction direction = new Direction("in", "out");
      RuleBook book = RuleBook.of(rules, List.of(direction));
      FirewallHandler handler =
          new FirewallHandler(
              book, book.newCounts(), direction, true, states, Packet::drop, out::sendAll);
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
    assertThat(summary.packets().droppedTotal()).isPositive();
    meter.assertQuiet();
  }
}
