package io.linerate.driver.pcap;

import static io.linerate.driver.pcap.CaptureBuilder.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.driver.pcap.PortHarness.Received;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PcapReadingTest {
  private static final int[] LENGTHS = {0, 1, 13, 14, 60, 64, 1_514, 9_018};

  @TempDir Path directory;

  static Stream<Arguments> formats() {
    return Stream.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)
        .flatMap(order ->
            Stream.of(
                Arguments.of(order, PcapFormat.MICROSECONDS_MAGIC, 1_000),
                Arguments.of(order, PcapFormat.NANOSECONDS_MAGIC, 1)));
  }

  @ParameterizedTest
  @MethodSource("formats")
  void shouldReadEveryPacketWithItsTime(ByteOrder order, int magic, int nsPerUnit)
      throws IOException {
    CaptureBuilder builder = new CaptureBuilder(order).pcapHeader(magic, 65_535, 1);
    for (int i = 0; i < LENGTHS.length; i++) {
      builder.pcapRecord(0xF000_0000L + i, 123_456 + i, LENGTHS[i] + 5, frame(i, LENGTHS[i]));
    }
    try (PortHarness harness = new PortHarness()) {
      var port = harness.reading(file(builder));
      List<Received> received = harness.receiveAll(port);
      assertThat(received).hasSize(LENGTHS.length);
      for (int i = 0; i < LENGTHS.length; i++) {
        assertThat(received.get(i).hex()).isEqualTo(Received.hex(frame(i, LENGTHS[i])));
        assertThat(received.get(i).timestampNs())
            .isEqualTo((0xF000_0000L + i) * 1_000_000_000L + (123_456L + i) * nsPerUnit);
      }
      assertThat(port.statistics().rxPackets()).isEqualTo(LENGTHS.length);
      assertThat(port.statistics().rxBytes()).isEqualTo(10_684);
      assertThat(port.statistics().errors()).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void shouldChainSegmentsOfPacketsThatAreLongerThanASegment(
      ByteOrder order, int magic, int nsPerUnit) throws IOException {
    int[] lengths = {
      65_519, 65_520, 65_535, 65_536, 131_054, 131_055, 131_070, 196_590, 262_144, 60
    };
    CaptureBuilder builder = new CaptureBuilder(order).pcapHeader(magic, 262_144, 1);
    for (int i = 0; i < lengths.length; i++) {
      builder.pcapRecord(i, 0, lengths[i], frame(i, lengths[i]));
    }
    List<Integer> segments = new ArrayList<>();
    List<byte[]> bytes = new ArrayList<>();
    try (PortHarness harness = new PortHarness()) {
      harness.receiveAll(
          harness.reading(file(builder)),
          packet -> {
            assertThat(packet.tailroomBytes()).isZero();
            segments.add(packet.segments());
            bytes.add(packet.toBytes());
          });
    }
    assertThat(segments).containsExactly(1, 1, 1, 2, 2, 3, 3, 4, 5, 1);
    for (int i = 0; i < lengths.length; i++) {
      assertThat(bytes.get(i)).as("packet " + i).isEqualTo(frame(i, lengths[i]));
    }
  }

  @Test
  void shouldLetPacketsGrowIntoTheHeaderOfTheirOwnRecord() throws IOException {
    CaptureBuilder builder =
        new CaptureBuilder(ByteOrder.LITTLE_ENDIAN)
            .pcapHeader(PcapFormat.NANOSECONDS_MAGIC, 0, 1)
            .pcapRecord(1, 2, 60, frame(0, 60))
            .pcapRecord(3, 4, 60, frame(1, 60));
    Path file = file(builder);
    byte[] before = Files.readAllBytes(file);
    List<byte[]> grown = new ArrayList<>();
    try (PortHarness harness = new PortHarness()) {
      harness.receiveAll(harness.reading(file), packet -> grown.add(grow(packet)));
    }
    assertThat(grown.get(0)).hasSize(76).startsWith(new byte[16]).endsWith(frame(0, 60));
    assertThat(grown.get(1)).hasSize(76).startsWith(new byte[16]).endsWith(frame(1, 60));
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  private static byte[] grow(Packet packet) {
    assertThat(packet.headroomBytes()).isEqualTo(16);
    packet.growHead(16);
    packet.u64(0, 0);
    packet.u64(8, 0);
    return packet.toBytes();
  }

  @Test
  void shouldTakeAFileWithoutPacketsForUsedUp() throws IOException {
    CaptureBuilder builder =
        new CaptureBuilder(ByteOrder.BIG_ENDIAN).pcapHeader(PcapFormat.MICROSECONDS_MAGIC, 96, 1);
    try (PortHarness harness = new PortHarness()) {
      assertThat(harness.receiveAll(harness.reading(file(builder)))).isEmpty();
      assertThat(harness.receiveAll(harness.open("pcap:rx=" + file(builder) + ",loop=forever")))
          .isEmpty();
    }
  }

  private Path file(CaptureBuilder builder) throws IOException {
    return Files.write(directory.resolve("in.pcap"), builder.build());
  }
}
