package io.linerate.driver.pcap;

import static io.linerate.driver.pcap.CaptureBuilder.concat;
import static io.linerate.driver.pcap.CaptureBuilder.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortException;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.PortHarness.Received;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DamagedFileTest {
  @TempDir Path directory;

  /** A file, where its first record begins, and where each of its packets ends with its record. */
  private static final class Sample {
    final byte[] bytes;
    final int headerBytes;
    final List<Integer> starts;
    final List<Integer> ends;

    Sample(byte[] bytes, int headerBytes, List<Integer> starts, List<Integer> ends) {
      this.bytes = bytes;
      this.headerBytes = headerBytes;
      this.starts = starts;
      this.ends = ends;
    }
  }

  static Stream<Arguments> orders() {
    return Stream.of(Arguments.of(ByteOrder.LITTLE_ENDIAN), Arguments.of(ByteOrder.BIG_ENDIAN));
  }

  private static Sample pcap(ByteOrder order) {
    CaptureBuilder b = new CaptureBuilder(order).pcapHeader(PcapFormat.NANOSECONDS_MAGIC, 0, 1);
    List<Integer> starts = new ArrayList<>();
    List<Integer> ends = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      starts.add(b.size());
      b.pcapRecord(i, i, 33 + i, frame(i, 33 + i));
      ends.add(b.size());
    }
    return new Sample(b.build(), 24, starts, ends);
  }

  private static Sample pcapng(ByteOrder order) {
    CaptureBuilder b = new CaptureBuilder(order).section().networkInterface(1, 0);
    byte[] options = concat(b.option(1, (byte) 'x'), b.option(0));
    List<Integer> starts = new ArrayList<>();
    List<Integer> ends = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      starts.add(b.size());
      switch (i) {
        case 0 -> b.enhanced(0, i, 33, frame(i, 33), options);
        case 1 -> b.simple(34, frame(i, 34));
        case 2 -> b.obsolete(0, i, 35, frame(i, 35));
        default -> b.enhanced(0, i, 36, frame(i, 36));
      }
      ends.add(b.size());
    }
    return new Sample(b.build(), 28, starts, ends);
  }

  @ParameterizedTest
  @MethodSource("orders")
  void shouldGiveTheGoodPacketsOfAFileThatIsCutAnywhere(ByteOrder order) throws IOException {
    cutEverywhere(pcap(order), List.of(24));
    // Behind the section and the interface a pcapng file may end too.
    cutEverywhere(pcapng(order), List.of(28, 48));
  }

  private void cutEverywhere(Sample sample, List<Integer> cleanEnds) throws IOException {
    for (int length = 1; length < sample.bytes.length; length++) {
      Path file = write(Arrays.copyOf(sample.bytes, length));
      int cut = length;
      long good = sample.ends.stream().filter(end -> end <= cut).count();
      try (PortHarness harness = new PortHarness()) {
        if (length < sample.headerBytes) {
          assertThatThrownBy(() -> harness.reading(file))
              .as("cut to %d bytes", length)
              .isInstanceOf(PortException.class)
              .hasMessageContaining("cut")
              .hasMessageContaining(file.toString());
          continue;
        }
        DriverPort port = harness.reading(file);
        List<Received> packets = new ArrayList<>();
        if (cleanEnds.contains(length) || sample.ends.contains(length)) {
          packets.addAll(harness.receiveAll(port));
        } else {
          assertThat(harness.receiveUntilDamage(port, packets))
              .hasMessageContaining("cut")
              .hasMessageContaining(file.toString())
              .hasMessageContaining("offset=");
        }
        assertThat(packets).as("cut to %d bytes", length).hasSize((int) good);
        assertThat(port.statistics().rxPackets()).isEqualTo(good);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("orders")
  void shouldNotBelieveWrongLengthsOfRecords(ByteOrder order) throws IOException {
    for (int length : new int[] {-1, Integer.MIN_VALUE, 262_145, 100_000, 87, 86, 39}) {
      Sample sample = pcap(order);
      ByteBuffer.wrap(sample.bytes).order(order).putInt(sample.starts.get(3) + 8, length);
      assertDamagedAt(sample, 3);
    }
  }

  @ParameterizedTest
  @MethodSource("orders")
  void shouldNotBelieveWrongLengthsOfBlocksAndPackets(ByteOrder order) throws IOException {
    // Lengths of the block: not a multiple of 4, too short for the kind, beyond the file, wrong at
    // the end.
    for (int length : new int[] {0, 4, 8, 11, 12, 28, 67, 72, 1_000, -4, Integer.MIN_VALUE}) {
      Sample sample = pcapng(order);
      ByteBuffer.wrap(sample.bytes).order(order).putInt(sample.starts.get(3) + 4, length);
      assertDamagedAt(sample, 3);
    }
    // Captured lengths: more than the block has room for.
    for (int length : new int[] {37, 100, 262_145, -1, Integer.MIN_VALUE}) {
      Sample sample = pcapng(order);
      ByteBuffer.wrap(sample.bytes).order(order).putInt(sample.starts.get(3) + 20, length);
      assertDamagedAt(sample, 3);
      sample = pcapng(order);
      ByteBuffer.wrap(sample.bytes).order(order).putInt(sample.starts.get(1) + 8, length);
      assertDamagedAt(sample, 1);
    }
    // Interfaces that do not exist.
    for (int id : new int[] {1, -1, Integer.MIN_VALUE}) {
      Sample sample = pcapng(order);
      ByteBuffer.wrap(sample.bytes).order(order).putInt(sample.starts.get(3) + 8, id);
      assertDamagedAt(sample, 3);
    }
  }

  private void assertDamagedAt(Sample sample, int packet) throws IOException {
    Path file = write(sample.bytes);
    try (PortHarness harness = new PortHarness()) {
      List<Received> packets = new ArrayList<>();
      PortException e = harness.receiveUntilDamage(harness.reading(file), packets);
      assertThat(packets).hasSize(packet);
      assertThat(e)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("offset=" + sample.starts.get(packet));
    }
  }

  @ParameterizedTest
  @MethodSource("orders")
  void shouldNotReadOptionsBeyondTheirBlock(ByteOrder order) throws IOException {
    CaptureBuilder b = new CaptureBuilder(order).section();
    int start = b.size();
    byte[] option = b.option(9, (byte) 6);
    ByteBuffer.wrap(option).order(order).putShort(2, (short) 0xFFFF);
    b.networkInterface(1, 0, option).enhanced(0, 1, 60, frame(0, 60));
    Path file = write(b.build());
    try (PortHarness harness = new PortHarness()) {
      PortException e = harness.receiveUntilDamage(harness.reading(file), new ArrayList<>());
      assertThat(e).hasMessageContaining("option").hasMessageContaining("offset=" + (start + 16));
    }
  }

  @Test
  void shouldFailInTheFirstPassOfALoop() throws IOException {
    Sample sample = pcap(ByteOrder.LITTLE_ENDIAN);
    write(Arrays.copyOf(sample.bytes, sample.bytes.length - 1));
    try (PortHarness harness = new PortHarness()) {
      DriverPort port = harness.open("pcap:rx=" + directory.resolve("in") + ",loop=forever");
      List<Received> packets = new ArrayList<>();
      harness.receiveUntilDamage(port, packets);
      assertThat(packets).hasSize(3);
    }
  }

  @Test
  void shouldSayThatAFileBecameShorterWhileItWasRead() throws IOException {
    Path file = manyPages();
    try (PortHarness harness = new PortHarness()) {
      DriverPort port = harness.reading(file);
      harness.receive(port.rxQueue(0), packet -> {});
      cut(file);
      assertThatThrownBy(() -> harness.receiveAll(port, packet -> {}))
          .isInstanceOf(PortException.class)
          .hasMessageContaining("became shorter")
          .hasMessageContaining(file.toString());
      assertThat(port.rxQueue(0).exhausted()).isTrue();
    }
  }

  /** Although it is read ahead. */
  @Test
  void shouldGiveThePacketsInFrontOfWhereAFileBecameShorter() throws IOException {
    CaptureBuilder b =
        new CaptureBuilder(ByteOrder.LITTLE_ENDIAN).pcapHeader(PcapFormat.NANOSECONDS_MAGIC, 0, 1);
    for (int i = 0; i < 1_000; i++) {
      b.pcapRecord(i, i, 84, frame(i, 84));
    }
    Path file = write(b.build());
    List<Integer> lengths = new ArrayList<>();
    try (PortHarness harness = new PortHarness()) {
      DriverPort port = harness.reading(file);
      harness.receive(port.rxQueue(0), packet -> lengths.add(packet.length()));
      cut(file);
      assertThatThrownBy(() -> harness.receiveAll(port, packet -> lengths.add(packet.length())))
          .hasMessageContaining("became shorter");
    }
    assertThat(lengths).hasSizeGreaterThanOrEqualTo((30_000 - 24) / (16 + 84));
  }

  @Test
  void shouldEndAProgramThatReadsPacketsWhichAreGone() throws IOException {
    Path file = manyPages();
    RunSummary summary;
    try (Engine engine = new Engine()) {
      DriverPort port = engine.drivers().open("pcap:rx=" + file);
      engine
          .worker()
          .input(
              port,
              burst -> {
                cut(file);
                for (Packet packet : burst) {
                  packet.u8(packet.length() - 1);
                }
              });
      summary = engine.run();
    }
    assertThat(summary.failures()).isNotEmpty();
    assertThat(summary.failures().toString()).doesNotContain("bug");
    assertThat(summary.packets().received()).isPositive();
    assertThat(summary.packets().droppedTotal()).isEqualTo(summary.packets().received());
  }

  private Path manyPages() throws IOException {
    CaptureBuilder b =
        new CaptureBuilder(ByteOrder.LITTLE_ENDIAN).pcapHeader(PcapFormat.NANOSECONDS_MAGIC, 0, 1);
    for (int i = 0; i < 200; i++) {
      b.pcapRecord(i, i, 5_000, frame(i, 5_000));
    }
    return write(b.build());
  }

  private static void cut(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(30_000);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void shouldRefuseWhatIsNoCapture() throws IOException {
    assertRefused(directory.resolve("missing"), "does not exist", "check the path");
    assertRefused(directory, "not a regular file");
    assertRefused(write(new byte[0]), "is empty");
    assertRefused(write(new byte[3]), "is cut");
    assertRefused(write(new byte[100]), "does not begin as one", "00 00 00 00");
    assertRefused(write(new byte[] {0x1F, (byte) 0x8B, 8, 0, 0}), "gzip");
    assertRefused(write(new byte[] {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0}), "zstd");
  }

  @Test
  void shouldRefuseAFileThatMayNotBeRead() throws IOException {
    Path file = write(pcap(ByteOrder.LITTLE_ENDIAN).bytes);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    assumeFalse(Files.isReadable(file), "this user may read everything");
    assertRefused(file, "Permission denied", "check its permissions");
  }

  @ParameterizedTest
  @ValueSource(strings = {"r--r--r--", "r--------"})
  void shouldReadAFileThatMayNotBeWritten(String permissions) throws IOException {
    Path file = write(pcap(ByteOrder.LITTLE_ENDIAN).bytes);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    try (PortHarness harness = new PortHarness()) {
      assertThat(harness.receiveAll(harness.reading(file))).hasSize(4);
    }
  }

  private static void assertRefused(Path file, String... parts) {
    try (PortHarness harness = new PortHarness()) {
      assertThatThrownBy(() -> harness.reading(file))
          .isInstanceOf(PortException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContainingAll(parts);
    }
  }

  private Path write(byte[] bytes) throws IOException {
    return Files.write(directory.resolve("in"), bytes);
  }
}
