package io.linerate.decode;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A format of files of packets that were decoded, from a module of its own: found as a service
 * ({@link java.util.ServiceLoader}).
 */
public interface PacketFileFormat {
  /** As options have it, such as {@code parquet}. */
  String name();

  /**
   * Begins a file in place of what stands there. It can be read once it is closed.
   *
   * @param fields names of those that are written, a column each
   * @throws IllegalArgumentException if there is no field of a name, or a name comes twice
   * @throws IOException the file cannot be written
   */
  PacketFile create(Path file, Protocols protocols, List<String> fields) throws IOException;
}
