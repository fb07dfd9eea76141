package io.linerate.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.hardwood.InputFile;
import dev.hardwood.metadata.CompressionCodec;
import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.reader.RowReader;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import io.linerate.track.flow.FlowFileFormat;
import io.linerate.track.flow.FlowMeter;
import io.linerate.track.flow.FlowSettings;
import io.linerate.track.flow.FlowSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Read back by a reader of others. */
class ParquetFlowsTest {
  private static final long START = 1_700_000_000_123_456_789L;

  @TempDir Path folder;
  private final Packets packets = new Packets();

  @AfterEach
  void close() {
    packets.close();
  }

  private static byte[] ipv4(boolean isForward, int port, int payload) {
    ByteBuffer frame = ByteBuffer.allocate(42 + payload);
    frame.position(12);
    frame.putShort((short) 0x0800).put((byte) 0x45).put((byte) 0x48);
    frame.putShort((short) (28 + payload)).putInt(0).put((byte) 61).put((byte) 17);
    frame.putShort((short) 0);
    frame.putInt(isForward ? 0x0A000001 : 0xC0000201).putInt(isForward ? 0xC0000201 : 0x0A000001);
    frame.putShort((short) (isForward ? port : 53)).putShort((short) (isForward ? 53 : port));
    frame.putShort((short) (8 + payload));
    return frame.array();
  }

  private static byte[] ipv6(int payload) {
    ByteBuffer frame = ByteBuffer.allocate(62 + payload);
    frame.position(12);
    frame.putShort((short) 0x86DD).putInt(0x6000_0000).putShort((short) (8 + payload));
    frame.put((byte) 17).put((byte) 64);
    frame.putLong(0x2001_0DB8_0000_0000L).putLong(1).putLong(0x2001_0DB8_0000_0000L).putLong(2);
    frame.putShort((short) 60_000).putShort((short) 443).putShort((short) (8 + payload));
    return frame.array();
  }

  private static FlowMeter meter(FlowSink sink) {
    return new FlowMeter(FlowSettings.DEFAULT, new SplittableRandom(4), sink);
  }

  private void add(FlowMeter meter, byte[] frame, long timeNs) {
    meter.accept(stamped(frame, timeNs));
  }

  private Packet stamped(byte[] frame, long timeNs) {
    Packet packet = packets.of(frame);
    Mbuf.timestampNs(packets.owned().handle(0), timeNs);
    return packet;
  }

  private static FlowFileFormat format() {
    return ServiceLoader.load(FlowFileFormat.class).findFirst().orElseThrow();
  }

  @Test
  void shouldWriteWhatFlowsHaveAndNothingElse() throws IOException {
    Path file = folder.resolve("flows.parquet");
    try (FlowSink sink = format().create(file)) {
      FlowMeter meter = meter(sink);
      add(meter, ipv4(true, 40_000, 10), START);
      add(meter, ipv4(false, 40_000, 100), START + 1);
      add(meter, ipv6(5), START + 2);
      meter.end();
    }
    try (ParquetFileReader reader = ParquetFileReader.open(InputFile.of(file));
        RowReader rows = reader.rowReader()) {
      assertThat(reader.getFileMetaData().rowGroups().get(0).columns())
          .extracting(column -> column.metaData().codec())
          .containsOnly(CompressionCodec.GZIP);
      rows.next();
      assertThat(rows.getString("sourceIPv4Address")).isEqualTo("10.0.0.1");
      assertThat(rows.getString("destinationIPv4Address")).isEqualTo("192.0.2.1");
      assertThat(rows.isNull("sourceIPv6Address")).isTrue();
      assertThat(rows.getInt("sourceTransportPort")).isEqualTo(40_000);
      assertThat(rows.getInt("protocolIdentifier")).isEqualTo(17);
      assertThat(rows.isNull("tcpControlBits")).isTrue();
      assertThat(rows.getInt("ipClassOfService")).isEqualTo(0x48);
      assertThat(rows.getInt("maximumTTL")).isEqualTo(61);
      assertThat(rows.getLong("octetDeltaCount")).isEqualTo(38);
      assertThat(rows.getLong("layer2OctetDeltaCount")).isEqualTo(52);
      assertThat(rows.getLong("reverseOctetDeltaCount")).isEqualTo(128);
      assertThat(rows.getTimestamp("flowStartNanoseconds"))
          .isEqualTo(Instant.ofEpochSecond(1_700_000_000, 123_456_789));
      assertThat(rows.getTimestamp("reverseFlowEndNanoseconds"))
          .isEqualTo(Instant.ofEpochSecond(1_700_000_000, 123_456_790));
      rows.next();
      assertThat(rows.getString("sourceIPv6Address")).isEqualTo("2001:db8::1");
      assertThat(rows.isNull("sourceIPv4Address")).isTrue();
      assertThat(rows.getLong("octetDeltaCount")).isEqualTo(53);
      assertThat(rows.getLong("reversePacketDeltaCount")).isZero();
      assertThat(rows.isNull("reverseFlowStartNanoseconds")).isTrue();
      assertThat(rows.hasNext()).isFalse();
    }
  }

  @Test
  void shouldWriteManyRows() throws IOException {
    Path file = folder.resolve("many.parquet");
    try (FlowSink sink = format().create(file)) {
      FlowMeter meter = meter(sink);
      for (int i = 0; i < 100_000; i++) {
        add(meter, ipv4(true, i % 60_000, 0), START + 1_000_000L * i);
      }
      meter.end();
    }
    long packetsThere = 0;
    try (ParquetFileReader reader = ParquetFileReader.open(InputFile.of(file));
        RowReader rows = reader.rowReader()) {
      while (rows.hasNext()) {
        rows.next();
        packetsThere += rows.getLong("packetDeltaCount");
      }
    }
    assertThat(packetsThere).isEqualTo(100_000);
    assertThat(Files.size(file)).isLessThan(100_000 * 20);
  }

  @Test
  void shouldWriteAFileWithoutFlows() throws IOException {
    Path file = Files.writeString(folder.resolve("none.parquet"), "what was there before");
    format().create(file).close();
    try (ParquetFileReader reader = ParquetFileReader.open(InputFile.of(file));
        RowReader rows = reader.rowReader()) {
      assertThat(rows.hasNext()).isFalse();
    }
  }

  @Test
  void shouldSayThatAFileCannotBeWritten() {
    assertThatIOException()
        .isThrownBy(() -> format().create(folder.resolve("no/such/folder.parquet")));
  }
}
