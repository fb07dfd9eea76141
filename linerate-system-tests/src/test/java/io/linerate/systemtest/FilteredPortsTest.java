package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.Port;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.PacketSource;
import io.linerate.testkit.VethPair;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Traffic of several kinds on a cable: handlers are given what the filter accepts, and no more. */
class FilteredPortsTest {
  private static final String FAR = "lr-filter0";
  private static final String NEAR = "lr-filter1";
  private static final long TIMEOUT_NS = 120_000_000_000L;
  private static final int ROUNDS = 20;

  private static final String IPV4 = "0800";
  private static final String TAG_5 = "81000005";
  private static final String TAG_6 = "88a80006";

  /** By name: what each frame has behind its Ethernet addresses. */
  private static final Map<String, String> KINDS =
      new TreeMap<>(
          Map.of(
              "dns", IPV4 + udp(53),
              "udp", IPV4 + udp(4_000),
              "tcp", IPV4 + tcp(80),
              "arp", "0806" + "0001080006040001" + "020000000001c000020100000000000" + "0c0000202",
              "tagged-dns", TAG_5 + IPV4 + udp(53),
              "tagged-tcp", TAG_5 + IPV4 + tcp(80),
              "twice-dns", TAG_6 + TAG_5 + IPV4 + udp(53)));

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip");
  }

  private static String ip(int protocol, int payloadBytes) {
    return "4500%04x0000000040%02x0000c0000201c0000202".formatted(20 + payloadBytes, protocol);
  }

  private static String udp(int port) {
    return ip(17, 8) + "3039%04x00080000".formatted(port);
  }

  private static String tcp(int port) {
    return ip(6, 20) + "3039%04x00000001000000005002ffff00000000".formatted(port);
  }

  private static byte[] frame(String rest) {
    String hex = "020000000002" + "020000000001" + rest;
    return HexFormat.of().parseHex(hex + "00".repeat(Math.max(0, 80 - hex.length() / 2)));
  }

  private static List<byte[]> frames() {
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      KINDS.values().forEach(rest -> frames.add(frame(rest)));
    }
    return frames;
  }

  private static void send() {
    try (Engine engine = new Engine()) {
      Output output = engine.worker().output(engine.port("packet:" + FAR));
      engine.worker().input(new PacketSource(engine.drivers().pools(), frames()), output::sendAll);
      assertThat(engine.run().packets().sent()).isEqualTo((long) ROUNDS * KINDS.size());
    }
  }

  private static void await(BooleanSupplier isDone) {
    long start = System.nanoTime();
    while (!isDone.getAsBoolean() && System.nanoTime() - start < TIMEOUT_NS) {
      Thread.onSpinWait();
    }
  }

  private static String kind(Packet packet) {
    byte[] bytes = new byte[packet.length()];
    packet.get(0, bytes, 0, bytes.length);
    String hex = HexFormat.of().formatHex(bytes).substring(24);
    return KINDS.entrySet().stream()
        .filter(kind -> hex.startsWith(kind.getValue()))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(hex);
  }

  /**
   * The kernel keeps away what is neither accepted nor tagged, where it can tell: so many kinds are
   * received, and those of them that are not accepted are counted as filtered.
   */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          packet:,  1, udp port 53,                         dns,                              4
          packet:,  2, udp port 53,                         dns,                              4
          packet:,  1, vlan and udp port 53,                tagged-dns,                       3
          packet:,  2, vlan 6 and vlan 5,                   twice-dns,                        3
          packet:,  1, not vlan,                            arp dns tcp udp,                  7
          packet:,  1, tcp[tcpflags] & tcp-syn != 0,        tcp,                              4
          packet:,  1, 'udp port 53 or (vlan and port 53)', dns tagged-dns,                   4
          packet:,  1, arp and len <= 80,                   arp,                              7
          packet:,  1, '',                                  all,                              7
          libpcap:, 1, udp port 53,                         dns,                              4
          libpcap:, 1, vlan and udp port 53,                tagged-dns,                       3
          xdp:,     1, tcp or arp,                          arp tcp,                          7
          """)
  void shouldGiveHandlersWhatTheFilterAccepts(
      String scheme, int workers, String filter, String accepted, int receivedKinds) {
    EngineConfig config = EngineConfig.DEFAULT.withWorkers(workers).with("filter", filter);
    List<String> expected =
        accepted.equals("all") ? List.copyOf(KINDS.keySet()) : List.of(accepted.split(" ", -1));
    Map<String, Integer> came = Collections.synchronizedMap(new TreeMap<>());
    try (VethPair _ = VethPair.make(FAR, NEAR, "numrxqueues", "1", "numtxqueues", "1");
        Engine engine = new Engine(config)) {
      Port port = engine.port(scheme + NEAR);
      engine.eachWorker(worker ->
          worker.input(
              port,
              burst -> {
                burst.forEach(packet -> came.merge(kind(packet), 1, Integer::sum));
                burst.dropAll(DropReason.CONSUMED);
              }));
      engine.start();
      send();
      long received = (long) ROUNDS * receivedKinds;
      await(() -> engine.summary().packets().received() >= received);
      engine.stop();
      assertThat(engine.awaitEnd(10_000)).isTrue();
      PacketCounts packets = engine.summary().packets();
      assertThat(came).hasSameSizeAs(expected).containsOnlyKeys(expected);
      assertThat(came.values()).containsOnly(ROUNDS);
      assertThat(packets.received()).isEqualTo(received);
      assertThat(packets.isConserved()).as(packets.toString()).isTrue();
      assertThat(packets.dropped().getOrDefault("filtered", 0L))
          .isEqualTo((long) ROUNDS * (receivedKinds - expected.size()));
      assertThat(port.statistics().isFilteredByKernel())
          .isEqualTo(receivedKinds < KINDS.size() || filter.equals("not vlan"));
    }
  }

  /** Not silence: nothing could ever come. */
  @ParameterizedTest
  @ValueSource(strings = {"type mgt", "inbound"})
  void shouldRefuseFiltersThatSayNothingOfThePort(String filter) throws Exception {
    Path file = folder.resolve("empty.pcap");
    Files.write(file, HexFormat.of().parseHex("d4c3b2a1020004000000000000000000ffff000001000000"));
    try (Engine engine = new Engine(EngineConfig.DEFAULT.with("filter", filter))) {
      assertThatThrownBy(() -> engine.port("in", "pcap:rx=" + file))
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith("filter is not about what the port brings: filter=" + filter)
          .hasMessageContaining("port=in")
          .hasMessageContaining("linktype=ETHERNET");
      assertThat(engine.ports()).isEmpty();
    }
  }

  @Test
  void shouldAllocateNothingForPackets() {
    AllocationMeter meter = new AllocationMeter(1_000_000);
    EngineConfig config =
        EngineConfig.DEFAULT
            .withIdle(Idle.BUSY_SPIN)
            .with("filter", "udp or (tcp and not port 443)");
    PacketCounts packets;
    try (Engine engine = new Engine(config)) {
      engine
          .worker()
          .input(
              engine.port("pcap:rx=../examples/captures/mixed.pcapng,loop=forever"),
              burst -> {
                meter.add(burst.size());
                burst.dropAll(DropReason.CONSUMED);
                if (meter.isDone()) {
                  engine.stop();
                }
              });
      packets = engine.run().packets();
    }
    assertThat(packets.isConserved()).isTrue();
    assertThat(packets.dropped()).containsOnlyKeys("filtered", "consumed");
    meter.assertQuiet();
  }

  @Test
  void shouldSayWhereAFilterIsWrong() {
    assertThatThrownBy(() -> EngineConfig.DEFAULT.with("filter", "tcp prt 80"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            """
            wrong filter: filter=tcp prt 80, at=5, found=prt, expected=and, or, or the end
              tcp prt 80
                  ^\
            """);
  }
}
