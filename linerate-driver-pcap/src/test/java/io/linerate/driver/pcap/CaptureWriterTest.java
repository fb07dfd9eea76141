package io.linerate.driver.pcap;

import static io.linerate.driver.pcap.CaptureBuilder.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.ConfigException;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortException;
import io.linerate.driver.pcap.PortHarness.Received;
import io.linerate.testkit.Packets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureWriterTest {
  private static final int[] LENGTHS = {0, 1, 2, 3, 4, 14, 60, 61, 1_514, 2_048};
  private static final long TIME_NS = 1_700_000_000_123_456_789L;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"out.pcap", "out.pcapng", "out", "out.cap"})
  void shouldWriteWhatTheReaderReads(String name) throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(file, "replaced");
    long bytes = 0;
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (int i = 0; i < LENGTHS.length; i++) {
        writer.write(packet(packets, frame(i, LENGTHS[i]), TIME_NS + i));
        bytes += LENGTHS[i];
      }
      assertThat(writer.packets()).isEqualTo(LENGTHS.length);
      assertThat(writer.bytes()).isEqualTo(bytes);
    }
    List<Received> expected = new ArrayList<>();
    for (int i = 0; i < LENGTHS.length; i++) {
      expected.add(new Received(TIME_NS + i, Received.hex(frame(i, LENGTHS[i]))));
    }
    assertThat(read(file)).isEqualTo(expected);
  }

  @Test
  void shouldNotReplaceAFileThatIsReadUnderWhateverName() throws IOException {
    Path file = directory.resolve("in.pcap");
    byte[] bytes =
        new CaptureBuilder(ByteOrder.LITTLE_ENDIAN)
            .pcapHeader(PcapFormat.NANOSECONDS_MAGIC, 0, 1)
            .pcapRecord(1, 1, 60, frame(0, 60))
            .build();
    Files.write(file, bytes);
    Path hard = Files.createLink(directory.resolve("hard"), file);
    Path soft = Files.createSymbolicLink(directory.resolve("soft"), file);
    try (PortHarness harness = new PortHarness()) {
      DriverPort port = harness.reading(file);
      for (Path name : List.of(file, hard, soft)) {
        assertThatThrownBy(() -> CaptureWriter.create(name, 0))
            .isInstanceOf(PortException.class)
            .hasMessageContaining(name.toString())
            .hasMessageContaining("a port reads or writes it; name another file");
      }
      assertThat(harness.receiveAll(port)).hasSize(1);
    }
    assertThat(file).hasBinaryContent(bytes);
    CaptureWriter.create(hard, 0).close();
    assertThat(Files.readAllBytes(file)).isNotEqualTo(bytes);
  }

  @Test
  void shouldNotBeWrittenTwiceAtOnce() {
    Path file = directory.resolve("out.pcapng");
    try (CaptureWriter _ = CaptureWriter.create(file, 0)) {
      assertThatThrownBy(() -> CaptureWriter.create(file, 0))
          .isInstanceOf(PortException.class)
          .hasMessageContaining("a port reads or writes it");
    }
    CaptureWriter.create(file, 0).close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"out.pcap", "out.pcapng"})
  void shouldCutPacketsAndKeepTheirLength(String name) throws IOException {
    Path file = directory.resolve(name);
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 96)) {
      writer.write(packet(packets, frame(0, 1_000), TIME_NS));
      writer.write(packet(packets, frame(1, 95), TIME_NS));
      assertThat(writer.bytes()).isEqualTo(191);
    }
    assertThat(read(file))
        .extracting(Received::hex)
        .containsExactly(
            Received.hex(frame(0, 1_000)).substring(0, 192), Received.hex(frame(1, 95)));
    byte[] bytes = Files.readAllBytes(file);
    int at = name.equals("out.pcap") ? 24 + 12 : 28 + 32 + 24;
    assertThat(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(at)).isEqualTo(1_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"out.pcap", "out.pcapng"})
  void shouldWriteEverySegmentOfAPacketAndMoreThanItsBufferHolds(String name) {
    Path file = directory.resolve(name);
    byte[] jumbo = frame(7, 9_000);
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      Packet packet = packets.ofSegments(jumbo, new int[] {2_000, 1, 0, 1_999, 2_048, 2_048, 904});
      Mbuf.timestampNs(packets.owned().handle(0), TIME_NS);
      for (int i = 0; i < 300; i++) {
        writer.write(packet);
      }
    }
    assertThat(read(file))
        .hasSize(300)
        .allMatch(new Received(TIME_NS, Received.hex(jumbo))::equals);
  }

  @Test
  void shouldShowInTheFileWhatWasFlushed() {
    Path file = directory.resolve("out.pcapng");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      writer.write(packet(packets, frame(0, 60), TIME_NS));
      writer.flush();
      assertThat(read(file)).hasSize(1);
    }
  }

  @Test
  void shouldSayThatTheDiskIsFull() {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full), "this machine has no /dev/full");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(full, 0)) {
      writer.write(packet(packets, frame(0, 60), TIME_NS));
      assertThatThrownBy(writer::flush)
          .isInstanceOf(PortException.class)
          .hasMessageContaining("file=/dev/full")
          .hasMessageContaining("No space left on device");
      Packet packet = packet(packets, frame(0, 60), TIME_NS);
      assertThatThrownBy(() -> writer.write(packet)).isInstanceOf(PortException.class);
    }
  }

  @Test
  void shouldSayWhyAFileCannotBeCreated() {
    assertThatThrownBy(() -> CaptureWriter.create(directory.resolve("no/such/dir.pcap"), 0))
        .isInstanceOf(PortException.class)
        .hasMessageContaining("dir.pcap")
        .hasMessageContaining("no such directory");
    assertThatThrownBy(() -> CaptureWriter.create(directory, 0))
        .isInstanceOf(PortException.class)
        .hasMessageContaining("Is a directory");
    assertThatThrownBy(() -> CaptureWriter.create(directory.resolve("x"), -1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> CaptureWriter.create(directory.resolve("x"), 262_145))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldNotWriteAFileThatIsRead() throws IOException {
    Path file = directory.resolve("in.pcap");
    byte[] bytes =
        new CaptureBuilder(ByteOrder.LITTLE_ENDIAN)
            .pcapHeader(PcapFormat.MICROSECONDS_MAGIC, 0, 1)
            .build();
    Files.write(file, bytes);
    Path link = Files.createSymbolicLink(directory.resolve("link.pcap"), file);
    try (PortHarness harness = new PortHarness()) {
      assertRefused(harness, "pcap:rx=" + file + ",tx=" + file);
      assertRefused(harness, "pcap:rx=" + file + ",tx=" + link);
      harness.reading(file);
      harness.reading(file);
      assertRefused(harness, "pcap:tx=" + link);
      harness.open("pcap:tx=" + directory.resolve("out.pcap"));
      assertRefused(harness, "pcap:tx=" + directory.resolve("./out.pcap"));
      assertRefused(harness, "pcap:rx=" + directory.resolve("out.pcap"));
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
  }

  private static void assertRefused(PortHarness harness, String address) {
    assertThatThrownBy(() -> harness.open(address))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("another file for tx=");
  }

  private static Packet packet(Packets packets, byte[] bytes, long timestampNs) {
    Packet packet = packets.of(bytes);
    Mbuf.timestampNs(packets.owned().handle(0), timestampNs);
    return packet;
  }

  private static List<Received> read(Path file) {
    try (PortHarness harness = new PortHarness()) {
      return harness.receiveAll(harness.reading(file));
    }
  }
}
