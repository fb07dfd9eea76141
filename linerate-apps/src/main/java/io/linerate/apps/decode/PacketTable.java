package io.linerate.apps.decode;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.PortException;
import io.linerate.decode.PacketFile;
import io.linerate.decode.PacketFileFormat;
import io.linerate.decode.Protocols;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;

/**
 * A Parquet file of packets.
 *
 * @param fields a column each
 */
record PacketTable(Path path, List<String> fields) {
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

  /**
   * Begins it in place of what stands there.
   *
   * @throws ConfigException if there is no such format, or it cannot have such columns
   * @throws PortException if it cannot be written
   */
  PacketFile create(Protocols protocols) {
    PacketFileFormat format =
        ServiceLoader.load(PacketFileFormat.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(one -> one.name().equals("parquet"))
            .findFirst()
            .orElseThrow(() ->
                new ConfigException(
                    "no Parquet files can be written: format=parquet; put linerate-parquet and what it needs on the class path"));
    try {
      return format.create(path, protocols, fields);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new PortException(
          "file cannot be written: file=%s, reason=%s; name one in a folder that is there and can be written to"
              .formatted(path, e.getMessage()),
          e);
    }
  }

  /** What is said of one that could not be completed. */
  String failure(IOException reason) {
    return "file is not complete: file=%s, reason=%s; see to room on the disk, and begin again"
        .formatted(path, reason.getMessage());
  }
}
