package io.linerate.apps.decode;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.PortException;
import io.linerate.decode.PacketFile;
import io.linerate.decode.PacketFileFormat;
import io.linerate.decode.Protocols;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A Parquet file of packets.
 *
 * @param file that it is written into
 * @param fields a column each
 */
record PacketTable(Path path, NewFile file, List<String> fields) {
  /** Columns where none are named: who speaks to whom, when, and how much. */
  static final List<String> DEFAULT_FIELDS =
      List.of(
          "frame.number",
          "frame.time",
          "frame.len",
          "frame.protocols",
          "eth.src",
          "eth.dst",
          "ip.src",
          "ip.dst",
          "ip.proto",
          "ipv6.src",
          "ipv6.dst",
          "ipv6.nxt",
          "tcp.srcport",
          "tcp.dstport",
          "udp.srcport",
          "udp.dstport");

  PacketTable(Path path, List<String> fields) {
    this(path, new NewFile(path), fields);
  }

  /**
   * Begins it.
   *
   * @throws ConfigException if there is no such format, or it cannot have such columns
   * @throws PortException if it cannot be written
   */
  PacketFile create(Protocols protocols) {
    PacketFileFormat format = FileFormats.parquet(PacketFileFormat.class, PacketFileFormat::name);
    try {
      return file.create(written -> format.create(written, protocols, fields));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Ends it.
   *
   * @param isWhole whether it is to stay
   * @return a sentence if it cannot be completed
   */
  Optional<String> end(PacketFile packets, boolean isWhole) {
    try (packets) {
      IOException failure = packets.failure();
      if (failure != null) {
        throw failure;
      }
    } catch (IOException e) {
      return Optional.of(file.failed(e));
    }
    if (!isWhole) {
      file.discard();
      return Optional.empty();
    }
    return file.complete();
  }
}
