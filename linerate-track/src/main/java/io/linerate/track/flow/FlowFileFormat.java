package io.linerate.track.flow;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A format of files of flows, from a module of its own: found as a service ({@link
 * java.util.ServiceLoader}).
 */
public interface FlowFileFormat {
  /** As options have it, such as {@code parquet}. */
  String name();

  /**
   * Begins a file in place of what stands there. It can be read once the sink is closed.
   *
   * @throws IOException the file cannot be written
   */
  FlowSink create(Path file) throws IOException;
}
