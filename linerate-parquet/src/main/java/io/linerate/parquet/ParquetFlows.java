package io.linerate.parquet;

import io.linerate.track.flow.FlowRecord;
import io.linerate.track.flow.FlowSink;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.jspecify.annotations.Nullable;

/** Writes flows into a Parquet file. */
final class ParquetFlows implements FlowSink {
  /** Rows are kept in memory up to so much, and written then. */
  private static final long ROW_GROUP_BYTES = 32 << 20;

  private final ParquetWriter<FlowRecord> writer;
  private @Nullable IOException failure;

  private ParquetFlows(ParquetWriter<FlowRecord> writer) {
    this.writer = writer;
  }

  static ParquetFlows create(Path file) throws IOException {
    return new ParquetFlows(
        new Builder(new LocalOutputFile(file))
            .withConf(new PlainParquetConfiguration())
            .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
            .withRowGroupSize(ROW_GROUP_BYTES)
            .withCodecFactory(new GzipCodec())
            .withCompressionCodec(CompressionCodecName.GZIP)
            .build());
  }

  private static final class Builder extends ParquetWriter.Builder<FlowRecord, Builder> {
    Builder(OutputFile file) {
      super(file);
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    @SuppressWarnings("deprecation") // It has to be there.
    protected WriteSupport<FlowRecord> getWriteSupport(Configuration configuration) {
      return new FlowWriteSupport();
    }

    @Override
    protected WriteSupport<FlowRecord> getWriteSupport(ParquetConfiguration configuration) {
      return new FlowWriteSupport();
    }
  }

  @Override
  public void onFlow(FlowRecord flow) {
    if (failure != null) {
      return;
    }
    try {
      writer.write(flow);
    } catch (IOException e) {
      failure = e;
    } catch (RuntimeException e) {
      failure = new IOException("flow cannot be written: reason=" + e.getMessage(), e);
    }
  }

  @Override
  public @Nullable IOException failure() {
    return failure;
  }

  @Override
  public void close() throws IOException {
    try {
      writer.close();
    } catch (IOException | RuntimeException e) {
      if (failure == null) {
        failure = new IOException("file cannot be completed: reason=" + e.getMessage(), e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
