package io.linerate.parquet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;

/** Makes Parquet's writer, with what all files here have in common. */
final class GzipWriter<T> extends ParquetWriter.Builder<T, GzipWriter<T>> {
  /** Rows are kept in memory up to so much, and written then. */
  private static final long ROW_GROUP_BYTES = 32 << 20;

  /**
   * Memory is looked at again after so many rows at most: rows of 64 KiB may follow those of a
   * byte.
   */
  private static final int MOST_ROWS_UNSEEN = 100;

  private final Supplier<WriteSupport<T>> rows;

  private GzipWriter(OutputFile file, Supplier<WriteSupport<T>> rows) {
    super(file);
    this.rows = rows;
  }

  /** Begins a file in place of what stands there. */
  static <T> ParquetWriter<T> of(Path file, Supplier<WriteSupport<T>> rows) throws IOException {
    return new GzipWriter<>(new LocalOutputFile(file), rows)
        .withConf(new PlainParquetConfiguration())
        .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
        .withRowGroupSize(ROW_GROUP_BYTES)
        .withMinRowCountForPageSizeCheck(1)
        .withMaxRowCountForPageSizeCheck(MOST_ROWS_UNSEEN)
        .withCodecFactory(new GzipCodec())
        .withCompressionCodec(CompressionCodecName.GZIP)
        .build();
  }

  @Override
  protected GzipWriter<T> self() {
    return this;
  }

  @Override
  @SuppressWarnings("deprecation") // It has to be there.
  protected WriteSupport<T> getWriteSupport(Configuration configuration) {
    return rows.get();
  }

  @Override
  protected WriteSupport<T> getWriteSupport(ParquetConfiguration configuration) {
    return rows.get();
  }
}
