package io.linerate.driver.pcap;

import static io.linerate.driver.pcap.CaptureBuilder.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.RxQueue;
import io.linerate.testkit.AllocationMeter;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopAndPaceTest {
  private static final int PACKETS = 1_000;

  @TempDir Path directory;

  @Test
  void shouldShowTheFileAsItIsInEveryPass() throws IOException {
    Path file = numbered();
    byte[] before = Files.readAllBytes(file);
    int[] count = {0};
    try (PortHarness harness = new PortHarness()) {
      DriverPort port = harness.open("pcap:rx=" + file + ",loop=5");
      harness.receiveAll(
          port,
          packet -> {
            assertThat(packet.toBytes()).isEqualTo(frame(count[0] % PACKETS, 100));
            count[0]++;
            packet.growHead(16);
            for (int i = 0; i < packet.length(); i++) {
              packet.u8(i, 0xA5);
            }
          });
      assertThat(port.statistics().rxPackets()).isEqualTo(5 * PACKETS);
    }
    assertThat(count[0]).isEqualTo(5 * PACKETS);
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void shouldTakeBackWhatWasChangedInOnePassOnly() throws IOException {
    Path file = numbered();
    int[] count = {0};
    try (PortHarness harness = new PortHarness()) {
      DriverPort port = harness.open("pcap:rx=" + file + ",loop=6");
      harness.receiveAll(
          port,
          packet -> {
            int pass = count[0] / PACKETS;
            assertThat(packet.toBytes()).isEqualTo(frame(count[0] % PACKETS, 100));
            count[0]++;
            if (pass == 2) {
              packet.u8(7, 0xA5);
            }
          });
    }
    assertThat(count[0]).isEqualTo(6 * PACKETS);
  }

  @Test
  void shouldStartThePassOnlyWhenAllPacketsAreHome() throws IOException {
    Path file = numbered();
    EngineConfig config = EngineConfig.DEFAULT.withRxBurst(PACKETS);
    try (PortHarness harness = new PortHarness(config)) {
      RxQueue queue = harness.open("pcap:rx=" + file + ",loop=2").rxQueue(0);
      assertThat(queue.receive(harness.burst.array())).isEqualTo(PACKETS);
      OwnedBurst other = new OwnedBurst(new MbufArray(32));
      for (int i = 0; i < 100; i++) {
        assertThat(queue.receive(other.array())).isZero();
        assertThat(queue.exhausted()).isFalse();
      }
      harness.burst.packet(3).u8(0, 0);
      harness.burst.finish(harness.freeBuffer);
      assertThat(queue.receive(other.array())).isEqualTo(32);
      assertThat(other.packet(3).toBytes()).isEqualTo(frame(3, 100));
      other.dropAll(DropReason.CONSUMED);
      other.finish(harness.freeBuffer);
    }
  }

  @Test
  void shouldReceiveAllWithFewBuffers() throws IOException {
    CaptureBuilder b =
        new CaptureBuilder(ByteOrder.BIG_ENDIAN).pcapHeader(PcapFormat.NANOSECONDS_MAGIC, 0, 1);
    for (int i = 0; i < 200; i++) {
      int length = i % 10 == 0 ? 262_144 : 60;
      b.pcapRecord(i, 0, length, frame(i, length));
    }
    Path file = Files.write(directory.resolve("in.pcap"), b.build());
    EngineConfig config = EngineConfig.DEFAULT.withBuffers(64).withRxBurst(100);
    int[] count = {0};
    try (PortHarness harness = new PortHarness(config)) {
      harness.receiveAll(
          harness.open("pcap:rx=" + file + ",loop=3"),
          packet -> assertThat(packet.u8(15)).isEqualTo((count[0]++ % 200 * 31 + 15) & 0xFF));
    }
    assertThat(count[0]).isEqualTo(600);
  }

  @Test
  void shouldMakeNoObjectForPacketsAndPasses() throws IOException {
    AllocationMeter meter = new AllocationMeter(20 * PACKETS);
    try (PortHarness harness = new PortHarness()) {
      RxQueue queue = harness.open("pcap:rx=" + numbered() + ",loop=forever").rxQueue(0);
      while (!meter.isDone()) {
        int packets = queue.receive(harness.burst.array());
        harness.burst.dropAll(DropReason.CONSUMED);
        harness.burst.finish(harness.freeBuffer);
        meter.add(packets);
      }
      meter.assertQuiet();
    }
  }

  @Test
  void shouldDeliverAtTheRecordedDistances() throws IOException {
    CaptureBuilder b =
        new CaptureBuilder(ByteOrder.LITTLE_ENDIAN).pcapHeader(PcapFormat.NANOSECONDS_MAGIC, 0, 1);
    // At 0, 50, 50 (recorded earlier than the one before), 51 and 100 ms.
    long[] recordedMs = {1_000, 1_050, 700, 701, 750};
    for (long ms : recordedMs) {
      b.pcapRecord(ms / 1_000, (int) (ms % 1_000) * 1_000_000, 60, frame(0, 60));
    }
    Path file = Files.write(directory.resolve("in.pcap"), b.build());
    List<Long> arrivedNs = new ArrayList<>();
    long start = System.nanoTime();
    try (PortHarness harness = new PortHarness()) {
      harness.receiveAll(
          harness.open("pcap:rx=" + file + ",loop=2,pace=recorded"),
          packet -> arrivedNs.add(System.nanoTime() - start));
    }
    // The second pass begins after the mean distance of the first: 25 ms.
    long[] dueMs = {0, 50, 50, 51, 100, 125, 175, 175, 176, 225};
    assertThat(arrivedNs).hasSize(dueMs.length).isSorted();
    for (int i = 0; i < dueMs.length; i++) {
      assertThat(arrivedNs.get(i)).as("packet %d", i).isGreaterThanOrEqualTo(dueMs[i] * 1_000_000);
    }
    assertThat(arrivedNs.getLast()).isLessThan(60_000_000_000L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "rx=",
        "rx=a\0b",
        "tx=",
        "tx=a\0b",
        "loop=2",
        "tx=o,loop=2",
        "tx=o,pace=recorded",
        "rx=i,loop=0",
        "rx=i,loop=-1",
        "rx=i,loop=x",
        "rx=i,loop",
        "rx=i,pace=fast",
        "rx=i,rx=j",
        "rx=i,speed=1",
        "file=i"
      })
  void shouldRefuseWrongAddresses(String rest) {
    try (PortHarness harness = new PortHarness()) {
      assertThatThrownBy(() -> harness.open("pcap:" + rest))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("pcap:" + rest);
    }
  }

  @Test
  void shouldHaveNoReceiveQueueWithoutAFileToRead() {
    try (PortHarness harness = new PortHarness()) {
      DriverPort port = harness.open("pcap:tx=" + directory.resolve("out\\,1.pcap"));
      assertThat(port.rxQueues()).isZero();
      assertThat(port.txQueues()).isEqualTo(2);
      assertThatThrownBy(() -> port.rxQueue(0))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("add rx=PATH");
    }
    assertThat(directory.resolve("out,1.pcap")).exists();
  }

  private Path numbered() throws IOException {
    CaptureBuilder b =
        new CaptureBuilder(ByteOrder.LITTLE_ENDIAN).pcapHeader(PcapFormat.NANOSECONDS_MAGIC, 0, 1);
    for (int i = 0; i < PACKETS; i++) {
      b.pcapRecord(i, 0, 100, frame(i, 100));
    }
    return Files.write(directory.resolve("numbered.pcap"), b.build());
  }
}
