package io.linerate.graph;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value of a running element, on one worker, that can be read or written by its name.
 *
 * @param isSum whether the values of all workers are added up
 * @param isShared whether there is one value for all workers
 */
record Handler(
    ValueType<?> type,
    boolean isSum,
    boolean isShared,
    @Nullable Supplier<?> reader,
    @Nullable Consumer<String> writer) {
  Object read() {
    if (reader == null) {
      throw new IllegalStateException("handler cannot be read");
    }
    return reader.get();
  }

  void write(String value) {
    if (writer == null) {
      throw new IllegalStateException("handler cannot be written");
    }
    writer.accept(value);
  }
}
