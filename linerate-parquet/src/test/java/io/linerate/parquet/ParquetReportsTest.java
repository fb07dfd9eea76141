package io.linerate.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.hardwood.InputFile;
import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.reader.RowReader;
import io.linerate.analysis.FlowTraffic;
import io.linerate.analysis.HostAddress;
import io.linerate.analysis.NameCount;
import io.linerate.analysis.PortScan;
import io.linerate.analysis.ReportFile;
import io.linerate.analysis.ReportFileFormat;
import io.linerate.analysis.WindowReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Read back by a reader of others. */
class ParquetReportsTest {
  private static final long START_NS = 1_700_000_000_500_000_000L;
  private static final long LENGTH_NS = 500_000_000;
  private static final HostAddress HOST = new HostAddress(4, 0, 0x0A00_0001);

  @TempDir Path folder;

  private static ReportFileFormat format() {
    return ServiceLoader.load(ReportFileFormat.class).findFirst().orElseThrow();
  }

  private static WindowReport report(int number) {
    long startNs = START_NS + number * LENGTH_NS;
    FlowTraffic flow = new FlowTraffic(6, HOST, 1_000, HOST, 80, 1, 40, number, 80);
    return new WindowReport(
        startNs,
        startNs + LENGTH_NS,
        1 + number,
        120,
        1,
        1,
        2,
        5,
        0,
        11,
        List.of(flow),
        List.of(flow),
        List.of(),
        List.of(),
        List.of(new NameCount("www.example.org", 5)),
        List.of(new PortScan(HOST, HOST, 100)),
        List.of(),
        List.of());
  }

  @Test
  void shouldWriteARowOfEachThing() throws IOException {
    Path file = folder.resolve("windows.parquet");
    try (ReportFile reports = format().create(file)) {
      reports.add(report(0));
      reports.add(report(7));
      assertThat(reports.failure()).isNull();
    }
    try (ParquetFileReader reader = ParquetFileReader.open(InputFile.of(file));
        RowReader rows = reader.rowReader()) {
      rows.next();
      assertThat(rows.getString("kind")).isEqualTo("window");
      assertThat(rows.getTimestamp("windowStart"))
          .isEqualTo(Instant.ofEpochSecond(1_700_000_000, 500_000_000));
      assertThat(rows.getDouble("connectionsPerSecond")).isEqualTo(6.0);
      assertThat(rows.getLong("dropped")).isEqualTo(11);
      assertThat(rows.isNull("source")).isTrue();
      rows.next();
      assertThat(rows.getString("kind")).isEqualTo("flow");
      assertThat(rows.getString("protocol")).isEqualTo("tcp");
      assertThat(rows.getString("source")).isEqualTo("10.0.0.1");
      assertThat(rows.getLong("destinationPort")).isEqualTo(80);
      assertThat(rows.getLong("rankByPackets")).isEqualTo(1);
      assertThat(rows.isNull("name")).isTrue();
      rows.next();
      assertThat(rows.getString("name")).isEqualTo("www.example.org");
      rows.next();
      assertThat(rows.getLong("ports")).isEqualTo(100);
      rows.next();
      assertThat(rows.getLong("packets")).isEqualTo(8);
      rows.next();
      assertThat(rows.getLong("packetsBack")).isEqualTo(7);
      rows.next();
      rows.next();
      assertThat(rows.hasNext()).isFalse();
    }
  }

  @Test
  void shouldSayThatAFileCannotBeWritten() {
    assertThatIOException()
        .isThrownBy(() -> format().create(folder.resolve("no/such/folder.parquet")));
  }
}
