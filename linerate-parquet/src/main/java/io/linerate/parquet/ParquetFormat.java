package io.linerate.parquet;

import io.linerate.track.flow.FlowFileFormat;
import io.linerate.track.flow.FlowSink;
import java.io.IOException;
import java.nio.file.Path;

/** Parquet files: a row for each flow, a column for each information element. */
public final class ParquetFormat implements FlowFileFormat {
  @Override
  public String name() {
    return "parquet";
  }

  @Override
  public FlowSink create(Path file) throws IOException {
    return ParquetFlows.create(file);
  }
}
