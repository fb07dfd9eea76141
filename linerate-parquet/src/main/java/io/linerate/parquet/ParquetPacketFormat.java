package io.linerate.parquet;

import io.linerate.decode.PacketFile;
import io.linerate.decode.PacketFileFormat;
import io.linerate.decode.Protocols;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Parquet files: a row for each packet, a column for each field. What a packet can have several of
 * is a list.
 */
public final class ParquetPacketFormat implements PacketFileFormat {
  @Override
  public String name() {
    return "parquet";
  }

  @Override
  public PacketFile create(Path file, Protocols protocols, List<String> fields) throws IOException {
    return ParquetPackets.create(file, protocols, fields);
  }
}
