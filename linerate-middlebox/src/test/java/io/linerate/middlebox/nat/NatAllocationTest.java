package io.linerate.middlebox.nat;

import static io.linerate.testkit.graph.FrameBuilder.icmp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.Element;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.Queue;
import io.linerate.graph.element.ToPort;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Packets;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Icmp;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Tcp;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NatAllocationTest {
  private static final int PACKETS = 2_000;
  private static final int ROUND_PACKETS = 1_000_000;

  @TempDir Path folder;

  /** Flows that are known, that begin, that push each other out, that find no port. */
  private Path capture() {
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (int i = 0; i < PACKETS; i++) {
        String host = "10.0.%d.%d".formatted(i % 3, i % 200 + 1);
        FrameBuilder frame =
            switch (i % 5) {
              case 0 -> tcp4().ports(i, 80).tcp(tcp -> tcp.flags(Tcp.SYN));
              case 1 -> icmp4().icmp(icmp -> icmp.type(Icmp.ECHO).identifier(7));
              default -> udp4().ports(1 + i % 50, 53);
            };
        writer.write(frame.between(host, "192.0.2.9").payload(10).toPacket(packets));
      }
    }
    return file;
  }

  /** Counts what passes, and ends the run when that is enough. */
  private record Metered(AllocationMeter meter, Engine engine) implements Element {
    @Override
    public Shape shape() {
      return Shape.inOut();
    }

    @Override
    public void open(Wiring wiring) {
      var out = wiring.output("out");
      wiring.input(
          "in",
          burst -> {
            meter.add(burst.size());
            if (meter.isDone()) {
              engine.stop();
            }
            out.push(burst);
          });
    }
  }

  /** Turns addresses and ports round, as who answers does: no checksum notices. */
  private record Answering() implements Element {
    @Override
    public Shape shape() {
      return Shape.inOut();
    }

    @Override
    public void open(Wiring wiring) {
      var out = wiring.output("out");
      wiring.input(
          "in",
          burst -> {
            for (Packet packet : burst) {
              packet.u64(26, Long.rotateLeft(packet.u64(26), 32));
              if (packet.u8(23) == IpProtocol.ICMP) {
                packet.u8(34, Icmp.ECHO_REPLY);
              } else {
                packet.i32(34, Integer.rotateLeft(packet.i32(34), 16));
              }
            }
            out.push(burst);
          });
    }
  }

  @Test
  void shouldAllocateNothingPerPacket() {
    AllocationMeter meter = new AllocationMeter(ROUND_PACKETS);
    NatSettings settings = NatSettings.of("203.0.113.1").withConnections(1_024).withMostPorts(40);
    RunSummary summary;
    try (Engine engine = new Engine()) {
      engine.port("in", "pcap:rx=" + capture() + ",loop=forever,tx=/dev/null");
      Graph graph =
          Graph.of(g -> {
            var nat = g.add("nat", new Nat(settings));
            var out = g.add("out", new ToPort("in"));
            g.chain(
                g.add("from", new FromPort("in")),
                g.add("metered", new Metered(meter, engine)),
                nat.in("inside"));
            g.chain(
                nat.out("outside"),
                g.add("server", new Answering()),
                g.add("back", Queue.dropping(1_024)),
                nat.in("outside"));
            g.chain(nat.out("inside"), out);
          });
      GraphRunner.install(graph, engine);
      summary = engine.run();
    }
    assertThat(summary.failures()).isEqualTo(List.of());
    assertThat(summary.packets().isConserved()).isTrue();
    assertThat(summary.packets().sent()).isPositive();
    meter.assertQuiet();
  }
}
