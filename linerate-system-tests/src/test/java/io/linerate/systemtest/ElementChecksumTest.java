package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Element;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.graph.element.DecrementTtl;
import io.linerate.graph.element.FixChecksums;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checksums that elements write, as tshark sees them. */
class ElementChecksumTest {
  private static final List<String> PROTOCOLS = List.of("ip", "udp", "tcp", "icmp", "icmpv6");

  /** What tshark says of a checksum. */
  private static final String WRONG = "0";

  private static final String RIGHT = "1";

  @TempDir Path folder;

  @BeforeEach
  void requireTshark() {
    Lab.requirePrograms("tshark");
  }

  /** Changes bytes behind the header of IP packets, and with them what the checksums are over. */
  record Change() implements Element {
    private static final int TYPE_OF_SERVICE = 15;
    private static final int LONG_BYTES = 200;

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
            change(burst);
            out.push(burst);
          });
    }

    private static void change(Burst burst) {
      for (Packet packet : burst) {
        int length = packet.length();
        if (length > LONG_BYTES) {
          packet.u8(length - LONG_BYTES / 2, 0x5A ^ packet.u8(length - LONG_BYTES / 2));
        }
        if (length > TYPE_OF_SERVICE && packet.u16(12) == 0x0800) {
          packet.u8(TYPE_OF_SERVICE, 0x28 ^ packet.u8(TYPE_OF_SERVICE));
        }
      }
    }
  }

  private Path through(String name, Element... elements) {
    Path file = folder.resolve(name + ".pcapng");
    Path capture = Lab.project().resolve("examples/captures/mixed.pcapng");
    Graph graph =
        Graph.of(g -> {
          var at = g.add("in", new FromPort("in"));
          for (int i = 0; i < elements.length; i++) {
            var next = g.add("e" + i, elements[i]);
            g.chain(at, next);
            at = next;
          }
          g.chain(at, g.add("out", new ToPort("out")));
        });
    try (Engine engine = new Engine()) {
      engine.port("in", "pcap:rx=" + capture);
      engine.port("out", "pcap:tx=" + file);
      GraphRunner.install(graph, engine);
      RunSummary summary = engine.run();
      assertThat(summary.failures()).isEmpty();
      assertThat(summary.packets().isConserved()).isTrue();
      assertThat(summary.packets().sent()).isPositive();
    }
    return file;
  }

  /** How often tshark says which of the checksums of each protocol: {@code ip=1} for one. */
  private static Map<String, Long> statuses(Path file) {
    List<String> words =
        new ArrayList<>(List.of("tshark", "-n", "-r", file.toString(), "-T", "fields"));
    for (String protocol : PROTOCOLS) {
      words.addAll(List.of("-e", protocol + ".checksum.status"));
    }
    // A fragment's bytes were changed, and no checksum of its own is over them.
    for (String preference :
        List.of(
            "ip.check_checksum:TRUE",
            "udp.check_checksum:TRUE",
            "tcp.check_checksum:TRUE",
            "ip.defragment:FALSE",
            "ipv6.defragment:FALSE")) {
      words.addAll(List.of("-o", preference));
    }
    Map<String, Long> statuses = new TreeMap<>();
    for (String line : Command.run(words.toArray(String[]::new)).lines().toList()) {
      String[] columns = line.split("\t", -1);
      for (int i = 0; i < columns.length && i < PROTOCOLS.size(); i++) {
        // The first one is that of the packet, others those of packets that an ICMP error quotes.
        statuses.merge(PROTOCOLS.get(i) + "=" + columns[i].split(",", 2)[0], 1L, Long::sum);
      }
    }
    return statuses;
  }

  private static String[] all(String status) {
    return PROTOCOLS.stream().map(name -> name + "=" + status).toArray(String[]::new);
  }

  @Test
  void shouldWriteChecksumsThatTsharkThinksRight() {
    assertThat(statuses(through("changed", new Change())))
        .containsKeys("ip=" + WRONG, "udp=" + WRONG, "tcp=" + WRONG);
    assertThat(statuses(through("fixed", new Change(), new FixChecksums())))
        .containsKeys(all(RIGHT))
        .doesNotContainKeys(all(WRONG));
  }

  @Test
  void shouldUpdateHeaderChecksumsAsTsharkThinksRight() {
    assertThat(statuses(through("ttl", new FixChecksums(), new DecrementTtl())))
        .containsKeys(all(RIGHT))
        .doesNotContainKeys(all(WRONG));
  }

  /** On an interface that the program makes, where nothing else sends. */
  @ParameterizedTest
  @ValueSource(strings = {"on", "off"})
  void shouldLeaveToTheDeviceWhatItDoes(String checksums) throws Exception {
    Lab.requireRoot();
    Lab.requireDpdk();
    Lab.requirePrograms("tcpdump", "ip");
    String tap = "lrc" + ProcessHandle.current().pid();
    Path seen = folder.resolve("seen.pcap");
    Path capture = Lab.project().resolve("examples/captures/mixed.pcapng");
    String out = "dpdk:net_tap0,iface=" + tap + ",tx-checksum=" + checksums;
    List<String> words = Command.java(ChecksumRelay.class, "pcap:rx=" + capture, out);
    try (Command relay = Command.start(words)) {
      relay.awaitError(text -> text.contains("ready"));
      Command.run("ip", "link", "set", tap, "up");
      try (Command tcpdump = Command.start(tcpdumpWords(tap, seen))) {
        tcpdump.awaitError(text -> text.contains("listening on"));
        relay.say("go");
        assertThat(relay.awaitExit()).as(relay.errors()).isZero();
        int _ = tcpdump.awaitExit(); // Its interface has gone.
      }
      Map<String, Long> result = result(relay.output());
      assertThat(result.get("sent")).isPositive();
      if (checksums.equals("on")) {
        assertThat(result.get("left")).isPositive();
      } else {
        assertThat(result.get("left")).isZero();
      }
    }
    assertThat(statuses(seen)).containsKeys(all(RIGHT)).doesNotContainKeys(all(WRONG));
  }

  private static List<String> tcpdumpWords(String netInterface, Path file) {
    return List.of(
        "tcpdump",
        "--immediate-mode",
        "-U",
        "-Q",
        "in",
        "-i",
        netInterface,
        "-w",
        file.toString(),
        "-Z",
        "root");
  }

  /** Lines {@code name=number}. */
  private static Map<String, Long> result(String output) {
    Map<String, Long> numbers = new TreeMap<>();
    for (String line : output.lines().toList()) {
      String[] parts = line.split("=", 2);
      numbers.put(parts[0], Long.parseLong(parts[1]));
    }
    return numbers;
  }
}
