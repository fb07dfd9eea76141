package io.linerate.analysis;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A format of files of reports, from a module of its own: found as a service ({@link
 * java.util.ServiceLoader}).
 */
public interface ReportFileFormat {
  /** As options have it, such as {@code parquet}. */
  String name();

  /**
   * Begins a file in place of what stands there. It can be read once it is closed.
   *
   * @throws IOException the file cannot be written
   */
  ReportFile create(Path file) throws IOException;
}
