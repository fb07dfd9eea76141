package io.linerate.apps;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Classic pcap files with times in ns, written and read without the code under test. */
final class PcapFile {
  private static final int MAGIC_NS = 0xA1B23C4D;
  private static final int HEADER_BYTES = 24;
  private static final int RECORD_BYTES = 16;
  private static final int ETHERNET = 1;

  private PcapFile() {}

  static Path write(Path file, List<byte[]> frames) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(
        ByteBuffer.allocate(HEADER_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(MAGIC_NS)
            .putShort((short) 2)
            .putShort((short) 4)
            .putInt(16, 262_144)
            .putInt(20, ETHERNET)
            .array());
    for (int i = 0; i < frames.size(); i++) {
      byte[] frame = frames.get(i);
      out.write(
          ByteBuffer.allocate(RECORD_BYTES)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putInt(1_700_000_000 + i / 1_000)
              .putInt(i % 1_000 * 1_000_000 + 7)
              .putInt(frame.length)
              .putInt(frame.length)
              .array());
      out.write(frame);
    }
    return Files.write(file, out.toByteArray());
  }

  /** Time, length and bytes of each packet as text, to compare and to read. */
  static List<String> records(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.getInt(0) != MAGIC_NS) {
      throw new IOException("not pcap with times in ns: " + file);
    }
    List<String> records = new ArrayList<>();
    bytes.position(HEADER_BYTES);
    while (bytes.hasRemaining()) {
      String time = bytes.getInt() + "." + bytes.getInt();
      byte[] frame = new byte[bytes.getInt()];
      int original = bytes.getInt();
      bytes.get(frame);
      records.add(time + " " + original + " " + HexFormat.of().formatHex(frame));
    }
    return records;
  }
}
