package io.linerate.analysis;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file that reports are written into, all on one thread. */
public interface ReportFile extends AutoCloseable {
  /** Adds the rows of a report. What goes wrong is told by {@link #failure}: nothing is thrown. */
  void add(WindowReport report);

  /** The first thing that went wrong; null: nothing has. It ignores reports from then on. */
  @Nullable IOException failure();

  /**
   * Completes the file.
   *
   * @throws IOException what has gone wrong, if anything has
   */
  @Override
  void close() throws IOException;
}
