package io.linerate.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.hardwood.InputFile;
import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.reader.RowReader;
import dev.hardwood.row.PqList;
import io.linerate.core.memory.ByteView;
import io.linerate.decode.Decoder;
import io.linerate.decode.Field;
import io.linerate.decode.FieldSink;
import io.linerate.decode.Layer;
import io.linerate.decode.PacketFile;
import io.linerate.decode.PacketFileFormat;
import io.linerate.decode.Protocols;
import io.linerate.testkit.LoadedCapture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Read back by a reader of others. */
class ParquetPacketsTest {
  private static final Path CAPTURES =
      Path.of("../linerate-decode/src/test/resources/io/linerate/decode/captures");

  private final Protocols protocols = Protocols.standard();
  @TempDir Path folder;

  private static PacketFileFormat format() {
    return ServiceLoader.load(PacketFileFormat.class).findFirst().orElseThrow();
  }

  private Path write(Path capture, List<String> names) throws IOException {
    Path written = folder.resolve("packets.parquet");
    Decoder decoder = new Decoder(protocols);
    try (PacketFile file = format().create(written, protocols, names);
        LoadedCapture packets = LoadedCapture.of("pcap:rx=" + capture + ",linktype=any")) {
      packets.forEach(packet -> {
        decoder.decode(packet);
        file.add(decoder);
      });
      assertThat(file.failure()).isNull();
    }
    return written;
  }

  /** Packets of IP in GRE, which have two headers of IP each. */
  @Test
  void shouldWriteValuesAsWhatTheyAre() throws IOException {
    Path written =
        write(
            CAPTURES.resolve("gre.pcap"),
            List.of(
                "frame.number",
                "frame.time",
                "frame.time_relative",
                "eth.src",
                "ip.ttl",
                "ip.flags.df",
                "ip.checksum",
                "ip.addr",
                "tcp.seq_raw",
                "udp.payload"));
    try (ParquetFileReader reader = ParquetFileReader.open(InputFile.of(written));
        RowReader rows = reader.rowReader()) {
      rows.next();
      rows.next();
      assertThat(rows.getLong("frame.number")).isEqualTo(2);
      assertThat(rows.getTimestamp("frame.time"))
          .isEqualTo(Instant.ofEpochSecond(1_700_000_000, 1_000_000));
      assertThat(rows.getLong("frame.time_relative")).isEqualTo(1_000_000);
      assertThat(values(rows, "eth.src")).containsExactly("00:00:5e:00:53:01");
      assertThat(values(rows, "ip.ttl")).containsExactly(64, 64);
      assertThat(values(rows, "ip.flags.df")).containsExactly(false, false);
      assertThat(values(rows, "ip.checksum")).containsExactly(0x2622, 0xF6CA);
      assertThat(values(rows, "ip.addr"))
          .containsExactly("198.51.100.1", "198.51.100.2", "192.0.2.1", "192.0.2.2");
      assertThat(rows.isNull("tcp.seq_raw")).isTrue();
      assertThat((byte[]) values(rows, "udp.payload").get(0)).containsExactly('a', 'b');
    }
  }

  private static List<Object> values(RowReader rows, String name) {
    List<Object> values = new ArrayList<>();
    PqList list = rows.getList(name);
    for (int i = 0; i < list.size(); i++) {
      values.add(list.get(i));
    }
    return values;
  }

  static List<Path> captures() throws IOException {
    try (Stream<Path> files = Files.list(CAPTURES)) {
      return files.filter(file -> file.toString().endsWith(".pcap")).sorted().toList();
    }
  }

  /** Every field of every packet has as many values as are printed of it. */
  @ParameterizedTest
  @MethodSource("captures")
  void shouldWriteEveryField(Path capture) throws IOException {
    Counter counter = new Counter();
    Decoder decoder = new Decoder(protocols);
    List<Map<String, Integer>> expected = new ArrayList<>();
    try (LoadedCapture packets = LoadedCapture.of("pcap:rx=" + capture + ",linktype=any")) {
      packets.forEach(packet -> {
        decoder.decode(packet);
        decoder.dissect(counter);
        expected.add(Map.copyOf(counter.counts));
        counter.counts.clear();
      });
    }
    List<String> names =
        expected.stream().flatMap(one -> one.keySet().stream()).distinct().sorted().toList();
    Path written = write(capture, names);
    try (ParquetFileReader reader = ParquetFileReader.open(InputFile.of(written));
        RowReader rows = reader.rowReader()) {
      for (Map<String, Integer> packet : expected) {
        rows.next();
        for (String name : names) {
          int count =
              rows.isNull(name) ? 0 : name.startsWith("frame.") ? 1 : rows.getList(name).size();
          assertThat(count).as(name).isEqualTo(packet.getOrDefault(name, 0));
        }
      }
      assertThat(rows.hasNext()).isFalse();
    }
  }

  /** Counts values of fields. */
  private static final class Counter implements FieldSink {
    private final Map<String, Integer> counts = new HashMap<>();

    private void add(Field field) {
      counts.merge(field.name(), 1, Integer::sum);
    }

    @Override
    public void number(Layer layer, Field field, long value, int offset, int bytes) {
      add(field);
    }

    @Override
    public void bytes(Layer layer, Field field, ByteView source, int offset, int bytes) {
      add(field);
    }

    @Override
    public void text(Layer layer, Field field, CharSequence value, int offset, int bytes) {
      add(field);
    }

    @Override
    public void open(Layer layer, Field part, int offset, int bytes) {
      add(part);
    }
  }

  @Test
  void shouldRefuseColumnsThatThereCannotBe() {
    Path file = folder.resolve("none.parquet");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> format().create(file, protocols, List.of("ip.src", "ip.src")))
        .withMessageContaining("two columns have one name: name=ip.src");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> format().create(file, protocols, List.of("ip.scr")))
        .withMessageContaining("no such field: name=ip.scr");
    assertThat(file).doesNotExist();
  }

  @Test
  void shouldSayThatAFileCannotBeWritten() {
    assertThatIOException()
        .isThrownBy(() ->
            format()
                .create(folder.resolve("no/such/folder.parquet"), protocols, List.of("ip.src")));
  }
}
