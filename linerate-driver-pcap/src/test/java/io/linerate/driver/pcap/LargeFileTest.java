package io.linerate.driver.pcap;

import static io.linerate.driver.pcap.CaptureBuilder.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.driver.pcap.PortHarness.Received;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files with holes: large, and short on the disk. */
class LargeFileTest {
  private static final long GIB = 1L << 30;

  @TempDir Path directory;

  @Test
  void shouldReadPacketsBehindTheThirdGibibyte() throws IOException {
    CaptureBuilder start =
        new CaptureBuilder(ByteOrder.LITTLE_ENDIAN)
            .section()
            .networkInterface(1, 0)
            .enhanced(0, 1, 60, frame(0, 60));
    int blockBytes = (int) (3 * GIB);
    byte[] block =
        buffer(8).putInt(0x0BAD).putInt(blockBytes).array(); // A custom block, 3 GiB long.
    CaptureBuilder end =
        new CaptureBuilder(ByteOrder.LITTLE_ENDIAN)
            .raw(buffer(4).putInt(blockBytes).array())
            .enhanced(0, 2, 60, frame(1, 60));
    Path file = directory.resolve("large.pcapng");
    try (FileChannel channel = create(file)) {
      channel.write(ByteBuffer.wrap(start.build()));
      channel.write(ByteBuffer.wrap(block));
      channel.write(ByteBuffer.wrap(end.build()), start.size() + 3 * GIB - 4);
    }
    assertThat(Files.size(file)).isGreaterThan(3 * GIB);
    try (PortHarness harness = new PortHarness()) {
      assertThat(harness.receiveAll(harness.open("pcap:rx=" + file + ",loop=2")))
          .containsExactly(
              new Received(1_000, Received.hex(frame(0, 60))),
              new Received(2_000, Received.hex(frame(1, 60))),
              new Received(1_000, Received.hex(frame(0, 60))),
              new Received(2_000, Received.hex(frame(1, 60))));
    }
  }

  @Test
  void shouldReadRecordsThroughTheThirdGibibyte() throws IOException {
    int length = CaptureBytes.MAX_PACKET_BYTES;
    int records = (int) (9 * GIB / 4 / length);
    Path file = directory.resolve("large.pcap");
    writeRecords(file, records, length);
    assertThat(Files.size(file)).isGreaterThan(2 * GIB);
    long[] seconds = {0};
    try (PortHarness harness = new PortHarness()) {
      harness.receiveAll(
          harness.reading(file),
          packet -> {
            assertThat(packet.length()).isEqualTo(length);
            assertThat(packet.timestampNs()).isEqualTo(seconds[0]++ * 1_000_000_000L);
          });
    }
    assertThat(seconds[0]).isEqualTo(records);
  }

  @Test
  void shouldNotKeepThePagesOfPacketsThatWereChanged() throws IOException {
    int length = CaptureBytes.MAX_PACKET_BYTES;
    int records = (int) (GIB / 4 / length);
    Path file = directory.resolve("changed.pcap");
    writeRecords(file, records, length);
    long before = privateKib();
    long[] highest = {0};
    int[] count = {0};
    try (PortHarness harness = new PortHarness()) {
      harness.receiveAll(
          harness.reading(file),
          packet -> {
            for (int i = 0; i < length; i += 4_096) {
              packet.u8(i, 1);
            }
            if (++count[0] % 32 == 0) {
              highest[0] = Math.max(highest[0], privateKib());
            }
          });
    }
    assertThat(count[0]).isEqualTo(records);
    assertThat(highest[0] - before).isLessThan(160 << 10);
  }

  private static void writeRecords(Path file, int records, int length) throws IOException {
    try (FileChannel channel = create(file)) {
      channel.write(
          ByteBuffer.wrap(
              new CaptureBuilder(ByteOrder.LITTLE_ENDIAN)
                  .pcapHeader(PcapFormat.NANOSECONDS_MAGIC, length, 1)
                  .build()));
      for (int i = 0; i < records; i++) {
        ByteBuffer header = buffer(16).putInt(i).putInt(0).putInt(length).putInt(length).flip();
        channel.write(header, 24 + i * (16L + length));
      }
      channel.write(buffer(1), 24 + records * (16L + length) - 1);
    }
  }

  /** Memory of this process that is no file's. */
  private static long privateKib() {
    try {
      List<String> lines = Files.readAllLines(Path.of("/proc/self/status"));
      return lines.stream()
          .filter(line -> line.startsWith("RssAnon:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FileChannel create(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE_NEW, StandardOpenOption.SPARSE, StandardOpenOption.WRITE);
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
