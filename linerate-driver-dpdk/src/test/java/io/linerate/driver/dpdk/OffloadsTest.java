package io.linerate.driver.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.memory.ChecksumState;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.Port;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.testkit.VethPair;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What DPDK's virtual devices do in place of the program, and what the program sees of it. */
class OffloadsTest {
  private static final long PID = ProcessHandle.current().pid();
  private static final String NEAR = "lro" + PID;
  private static final String FAR = "lrp" + PID;
  private static final String NEXT = "lrq" + PID;
  private static final String LAST = "lrr" + PID;
  private static final String TAP = "lrs" + PID;
  private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
  private static final int IPV4 = 0x0800;

  /** Ports of the datagrams, by which they are told from what a kernel says by itself. */
  private static final int PORTS = 0x0400_0035;

  @TempDir Path folder;

  @BeforeAll
  static void requireDpdk() {
    assumeTrue(DpdkLibrary.problem().isEmpty(), DpdkLibrary::problem);
  }

  /** A frame with a datagram from 10.0.0.1 to 10.0.0.2, whose bytes are zeroes. */
  private static byte[] udp(int ipChecksum, int checksum) {
    ByteBuffer frame = ByteBuffer.allocate(100);
    frame.put(0, (byte) 2).put(6, (byte) 2).putShort(12, (short) IPV4);
    frame.putInt(14, 0x4500_0000 | 86).putInt(22, 0x4011_0000 | ipChecksum);
    frame.putInt(26, 0x0A00_0001).putInt(30, 0x0A00_0002);
    frame.putInt(34, PORTS).putShort(38, (short) 66);
    return frame.putShort(40, (short) checksum).array();
  }

  private static int ipChecksum() {
    int sum = 0x4500 + 86 + 0x4011 + 0x0A00 + 1 + 0x0A00 + 2;
    return ~((sum & 0xFFFF) + (sum >>> 16)) & 0xFFFF;
  }

  private static int udpChecksum() {
    return ~(0x0A00 + 1 + 0x0A00 + 2 + 17 + 66 + 0x0400 + 0x0035 + 66) & 0xFFFF;
  }

  /** Sends by a socket of the kernel's. */
  private static void send(String netInterface, List<byte[]> frames) throws Exception {
    String script =
        """
        import socket, sys
        sender = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        sender.bind((sys.argv[1], 0))
        for frame in sys.argv[2:]:
            sender.send(bytes.fromhex(frame))
        """;
    List<String> words = new ArrayList<>(List.of("python3", "-c", script, netInterface));
    frames.forEach(frame -> words.add(HexFormat.of().formatHex(frame)));
    assertThat(new ProcessBuilder(words).inheritIO().start().waitFor()).isZero();
  }

  /** Has an engine run until so many packets were seen. */
  private static void run(Engine engine, List<?> seen, int wanted, Action stimulus)
      throws Exception {
    engine.start();
    stimulus.run();
    long end = System.nanoTime() + TIMEOUT_NS;
    while (seen.size() < wanted && System.nanoTime() < end) {
      boolean _ = engine.awaitEnd(10);
    }
    engine.stop();
    boolean _ = engine.awaitEnd(1_000);
    assertThat(engine.summary().packets().isConserved()).isTrue();
    assertThat(engine.summary().failures()).isEmpty();
  }

  /** Does something outside of the engine. */
  private interface Action {
    void run() throws Exception;
  }

  private static <T> void look(
      Engine engine, Port port, List<T> seen, int typeOffset, Function<Packet, T> look) {
    engine
        .worker()
        .input(
            port,
            burst ->
                burst.forEach(packet -> {
                  if (isOurs(packet, typeOffset)) {
                    seen.add(look.apply(packet));
                  }
                }));
  }

  private static boolean isOurs(Packet packet, int typeOffset) {
    return packet.length() >= typeOffset + 26
        && packet.u16(typeOffset) == IPV4
        && packet.i32(typeOffset + 22) == PORTS;
  }

  @Test
  void shouldSayWhatTheDeviceFoundOfChecksums() throws Exception {
    List<byte[]> frames =
        List.of(
            udp(ipChecksum(), udpChecksum()),
            udp(ipChecksum(), udpChecksum() ^ 1),
            udp(ipChecksum() ^ 1, udpChecksum()));
    List<List<ChecksumState>> seen = new CopyOnWriteArrayList<>();
    try (Engine engine = new Engine(EngineConfig.DEFAULT)) {
      Port port = engine.port("dpdk-shared:net_tap0,iface=" + TAP + ",rx-checksum=on");
      look(
          engine,
          port,
          seen,
          12,
          packet -> {
            List<ChecksumState> states = List.of(packet.ipChecksumState(), packet.checksumState());
            packet.shrinkHead(1);
            assertThat(packet.ipChecksumState()).isEqualTo(ChecksumState.UNKNOWN);
            return states;
          });
      run(
          engine,
          seen,
          frames.size(),
          () -> {
            assertThat(VethPair.ip(List.of("link", "set", TAP, "up"))).isTrue();
            send(TAP, frames);
          });
      assertThat(port.statistics().extended()).containsEntry("is_rx_checksum", 1L);
    }
    assertThat(seen)
        .containsExactly(
            List.of(ChecksumState.GOOD, ChecksumState.GOOD),
            List.of(ChecksumState.GOOD, ChecksumState.BAD),
            List.of(ChecksumState.BAD, ChecksumState.GOOD));
  }

  @Test
  void shouldKnowNothingOfChecksumsByDefault() throws Exception {
    List<ChecksumState> seen = new CopyOnWriteArrayList<>();
    try (Engine engine = new Engine(EngineConfig.DEFAULT)) {
      Port port = engine.port("dpdk-shared:net_tap0,iface=" + TAP);
      look(engine, port, seen, 12, Packet::checksumState);
      run(
          engine,
          seen,
          1,
          () -> {
            assertThat(VethPair.ip(List.of("link", "set", TAP, "up"))).isTrue();
            send(TAP, List.of(udp(ipChecksum(), udpChecksum())));
          });
      assertThat(port.statistics().extended())
          .containsEntry("is_rx_checksum", 0L)
          .containsEntry("is_tso", 0L)
          .containsEntry("is_multi_segment", 1L)
          .doesNotContainKey("is_fast_free");
    }
    assertThat(seen).containsExactly(ChecksumState.UNKNOWN);
  }

  private static byte[] tagged() {
    byte[] frame = udp(ipChecksum(), udpChecksum());
    return ByteBuffer.allocate(frame.length + 4)
        .put(frame, 0, 12)
        .putInt(0x8100_6064)
        .put(frame, 12, frame.length - 12)
        .array();
  }

  /** Tags are off where the program looks, and on where its packets go. */
  @ParameterizedTest
  @CsvSource({"on, on", "on, off", "off, off"})
  void shouldTakeTagsOffAndPutThemBack(String strip, String insert) throws Exception {
    List<Integer> inside = new CopyOnWriteArrayList<>();
    List<byte[]> behind = new CopyOnWriteArrayList<>();
    try (VethPair _ = VethPair.make(NEAR, FAR);
        VethPair _ = VethPair.make(NEXT, LAST);
        Engine engine = new Engine(EngineConfig.DEFAULT)) {
      Port in = engine.port("dpdk-shared:net_af_packet0,iface=" + FAR + ",vlan-strip=" + strip);
      Port out = engine.port("dpdk-shared:net_af_packet1,iface=" + NEXT + ",vlan-insert=" + insert);
      Port witness = engine.port("dpdk-shared:net_af_packet2,iface=" + LAST);
      Output output = engine.worker().output(out);
      Consumer<Packet> forward =
          packet -> {
            if (isOurs(packet, 12) || isOurs(packet, 16)) {
              inside.add(packet.vlanTag());
              output.send(packet);
            }
          };
      engine.worker().input(in, burst -> burst.forEach(forward));
      look(engine, witness, behind, 16, Packet::toBytes);
      run(engine, behind, 1, () -> send(NEAR, List.of(tagged())));
    }
    assertThat(inside).containsExactly(strip.equals("on") ? 0x6064 : -1);
    assertThat(behind).containsExactly(tagged());
  }

  /** A file of these frames, all of one time. */
  private Path capture(byte[]... frames) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(65_536).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(0xA1B2_C3D4).putShort((short) 2).putShort((short) 4).putLong(0);
    bytes.putInt(65_535).putInt(1);
    for (byte[] frame : frames) {
      bytes.putInt(1_600_000_000).putInt(123_456).putInt(frame.length).putInt(frame.length);
      bytes.put(frame);
    }
    Path file = folder.resolve("frames.pcap");
    return Files.write(file, Arrays.copyOf(bytes.array(), bytes.position()));
  }

  /** A frame of 2,100 bytes comes in two segments, and does not fit one. */
  @Test
  void shouldGiveDevicesOneSegmentOnlyWhereTheyAreToHaveNoMore() throws Exception {
    byte[] shorter = udp(ipChecksum(), udpChecksum());
    byte[] longer = Arrays.copyOf(shorter, 2_100);
    List<Integer> segments = new CopyOnWriteArrayList<>();
    try (Engine engine = new Engine(EngineConfig.DEFAULT)) {
      Port in = engine.port("dpdk-shared:net_pcap0,rx_pcap=" + capture(shorter, longer, shorter));
      Port out = engine.port("dpdk-shared:net_null4,multi-segment=off,no-rx=1");
      Output output = engine.worker().output(out);
      engine
          .worker()
          .input(
              in,
              burst ->
                  burst.forEach(packet -> {
                    segments.add(packet.segments());
                    output.send(packet);
                  }));
      run(engine, segments, 3, () -> {});
      assertThat(engine.summary().packets().sent()).isEqualTo(2);
      assertThat(engine.summary().packets().dropped()).containsOnlyKeys("tx_too_long");
    }
    assertThat(segments).containsExactly(1, 2, 1);
  }

  @Test
  void shouldGiveTheTimesOfCaptureFiles() throws Exception {
    Path file = capture(udp(ipChecksum(), udpChecksum()));
    List<Long> seen = new CopyOnWriteArrayList<>();
    try (Engine engine = new Engine(EngineConfig.DEFAULT)) {
      Port port = engine.port("dpdk-shared:net_pcap0,rx_pcap=" + file);
      look(engine, port, seen, 12, Packet::timestampNs);
      run(engine, seen, 1, () -> {});
    }
    assertThat(seen).containsExactly(1_600_000_000_123_456_000L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "net_null0,tso=on | cannot do what the address asks for: tso=on, device=net_null0, rxOffloads=",
        "net_null1,fast-free=on | fast-free=on, device=net_null1",
        "net_null2,rx-checksum=yes | rx-checksum=yes",
        "net_tap3,iface=lrt0,tso=on,multi-segment=off | leave one out",
      })
  void shouldSayWhatADeviceCannotDo(String devargs, String message) {
    try (Engine engine = new Engine(EngineConfig.DEFAULT)) {
      assertThatThrownBy(() -> engine.port("dpdk-shared:" + devargs))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(message);
    }
  }

  @Test
  void shouldLeaveDevicesTheirOwnArguments() {
    assertThat(OffloadRequest.isOurs("tso=on")).isTrue();
    assertThat(OffloadRequest.isOurs("tso=1")).as("net_vhost has one, too").isFalse();
    assertThat(OffloadRequest.isOurs("iface=tso")).isFalse();
  }
}
