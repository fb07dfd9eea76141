package io.linerate.parquet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.jspecify.annotations.Nullable;

/** The rows of a file, up to the first that cannot be written. */
final class FileRows<T> {
  private final ParquetWriter<T> writer;
  private @Nullable IOException failure;

  FileRows(Path file, Supplier<WriteSupport<T>> rows) throws IOException {
    writer = GzipWriter.of(file, rows);
  }

  void write(T row) {
    if (failure != null) {
      return;
    }
    try {
      writer.write(row);
    } catch (IOException e) {
      failure = e;
    } catch (RuntimeException e) {
      failure = new IOException("row cannot be written: reason=" + e.getMessage(), e);
    }
  }

  @Nullable IOException failure() {
    return failure;
  }

  void close() throws IOException {
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
