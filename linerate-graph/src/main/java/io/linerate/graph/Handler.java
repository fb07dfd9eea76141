package io.linerate.graph;

import io.linerate.core.config.ConfigException;
import java.util.Objects;
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

  /**
   * Writes it.
   *
   * @throws ConfigException if the value cannot be
   */
  void write(String value) {
    if (writer == null) {
      throw new IllegalStateException("handler cannot be written");
    }
    try {
      writer.accept(value);
    } catch (IllegalArgumentException e) { // What reads the text says by it what is wrong.
      ConfigException wrong =
          new ConfigException(
              Objects.requireNonNullElse(e.getMessage(), "value cannot be: value=" + value));
      wrong.initCause(e);
      throw wrong;
    }
  }
}
