package io.linerate.parquet;

import io.linerate.analysis.ReportFile;
import io.linerate.analysis.ReportFileFormat;
import java.io.IOException;
import java.nio.file.Path;

/** Parquet files: a row for each window, and for each flow, host, name, scan and flood of it. */
public final class ParquetReportFormat implements ReportFileFormat {
  @Override
  public String name() {
    return "parquet";
  }

  @Override
  public ReportFile create(Path file) throws IOException {
    return ParquetReports.create(file);
  }
}
