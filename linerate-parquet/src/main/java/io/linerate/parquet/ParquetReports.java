package io.linerate.parquet;

import io.linerate.analysis.ReportFile;
import io.linerate.analysis.ReportRow;
import io.linerate.analysis.WindowReport;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Writes reports into a Parquet file. */
final class ParquetReports implements ReportFile {
  private final FileRows<ReportRow> rows;

  private ParquetReports(FileRows<ReportRow> rows) {
    this.rows = rows;
  }

  static ParquetReports create(Path file) throws IOException {
    return new ParquetReports(new FileRows<>(file, ReportWriteSupport::new));
  }

  @Override
  public void add(WindowReport report) {
    ReportRow.of(report).forEach(rows::write);
  }

  @Override
  public @Nullable IOException failure() {
    return rows.failure();
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
