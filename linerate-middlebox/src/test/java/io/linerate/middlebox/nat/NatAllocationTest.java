package io.linerate.middlebox.nat;

import static io.linerate.testkit.graph.FrameBuilder.icmp4;
import static io.linerate.testkit.graph.FrameBuilder.icmp6;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.Element;
import io.linerate.graph.ElementPort;
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
import io.linerate.wire.EtherType;
import io.linerate.wire.Icmp;
import io.linerate.wire.Icmpv6;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Tcp;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NatAllocationTest {
  private static final int PACKETS = 2_000;
  private static final int ROUND_PACKETS = 1_000_000;

  @TempDir Path folder;

  private Path capture(IntFunction<FrameBuilder> frames) {
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (int i = 0; i < PACKETS; i++) {
        writer.write(frames.apply(i).payload(10).toPacket(packets));
      }
    }
    return file;
  }

  /** Flows that are known, that begin, that push each other out, that find no port. */
  private static FrameBuilder ipv4(int i) {
    String host = "10.0.%d.%d".formatted(i % 3, i % 200 + 1);
    FrameBuilder frame =
        switch (i % 5) {
          case 0 -> tcp4().ports(i, 80).tcp(tcp -> tcp.flags(Tcp.SYN));
          case 1 -> icmp4().icmp(icmp -> icmp.type(Icmp.ECHO).identifier(7));
          default -> udp4().ports(1 + i % 50, 53);
        };
    return frame.between(host, "192.0.2.9");
  }

  private static FrameBuilder ipv6(int i, String server) {
    String host = "fd01:203:405:%x::%x".formatted(i % 3, i % 200 + 1);
    FrameBuilder frame =
        switch (i % 5) {
          case 0 -> tcp6().ports(i, 80).tcp(tcp -> tcp.flags(Tcp.SYN));
          case 1 -> icmp6().icmp(icmp -> icmp.type(Icmpv6.ECHO_REQUEST).identifier(7));
          default -> udp6().ports(1 + i % 50, 53);
        };
    return frame.between(host, server);
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
              if (packet.u16(12) == EtherType.IPV6) {
                turnRound6(packet);
                continue;
              }
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

    private static void turnRound6(Packet packet) {
      long high = packet.u64(22);
      long low = packet.u64(30);
      packet.u64(22, packet.u64(38));
      packet.u64(30, packet.u64(46));
      packet.u64(38, high);
      packet.u64(46, low);
    }
  }

  @Test
  void shouldAllocateNothingPerPacket() {
    NatSettings settings = NatSettings.of("203.0.113.1").withConnections(1_024).withMostPorts(40);
    requireNoAllocation(new Nat(settings), NatAllocationTest::ipv4);
  }

  @Test
  void shouldAllocateNothingForPrefixes() {
    requireNoAllocation(
        Npt.of("fd01:203:405::/48 2001:db8:1::/48"), i -> ipv6(i, "2001:db8:ff::9"));
  }

  @Test
  void shouldAllocateNothingForIpv6() {
    NatSettings settings =
        NatSettings.of("203.0.113.1")
            .withConnections(1_024)
            .withMostPorts(40)
            .withNat64(Nat64.of("64:ff9b::/96"));
    requireNoAllocation(new Nat(settings), i -> ipv6(i, "64:ff9b::c000:209"));
  }

  private void requireNoAllocation(Element translator, IntFunction<FrameBuilder> frames) {
    AllocationMeter meter = new AllocationMeter(ROUND_PACKETS);
    RunSummary summary;
    try (Engine engine = new Engine()) {
      engine.port("in", "pcap:rx=" + capture(frames) + ",loop=forever,tx=/dev/null");
      Graph graph =
          Graph.of(g -> {
            var nat = g.add("nat", translator);
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
            translator.shape().outputs().stream()
                .map(ElementPort::name)
                .filter(name -> name.startsWith("inside"))
                .forEach(name -> g.chain(nat.out(name), out));
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
