package io.linerate.parquet;

import io.linerate.track.flow.FlowRecord;
import io.linerate.track.flow.FlowSink;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Writes flows into a Parquet file. */
final class ParquetFlows implements FlowSink {
  private final FileRows<FlowRecord> rows;

  private ParquetFlows(FileRows<FlowRecord> rows) {
    this.rows = rows;
  }

  static ParquetFlows create(Path file) throws IOException {
    return new ParquetFlows(new FileRows<>(file, FlowWriteSupport::new));
  }

  @Override
  public void onFlow(FlowRecord flow) {
    rows.write(flow);
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
