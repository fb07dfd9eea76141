package io.linerate.filter;

import io.linerate.core.memory.LinkType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A capture file of libpcap's own format.
 *
 * @param type what its packets begin with
 * @param frames none of a file of another format
 */
record CaptureFile(LinkType type, List<byte[]> frames) {
  private static final int FILE_HEADER_BYTES = 24;
  private static final int PACKET_HEADER_BYTES = 16;

  static CaptureFile read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    List<byte[]> frames = new ArrayList<>();
    if (bytes.remaining() < FILE_HEADER_BYTES || !isCapture(bytes)) {
      return new CaptureFile(LinkType.ETHERNET, frames);
    }
    LinkType type = LinkType.of(bytes.getInt(20) & 0xFFFF);
    bytes.position(FILE_HEADER_BYTES);
    while (bytes.remaining() >= PACKET_HEADER_BYTES) {
      int length = bytes.getInt(bytes.position() + 8);
      bytes.position(bytes.position() + PACKET_HEADER_BYTES);
      if (length < 0 || length > bytes.remaining()) {
        break;
      }
      byte[] frame = new byte[length];
      bytes.get(frame);
      frames.add(frame);
    }
    return new CaptureFile(type, frames);
  }

  private static boolean isCapture(ByteBuffer bytes) {
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      int magic = bytes.order(order).getInt(0);
      if (magic == 0xA1B2C3D4 || magic == 0xA1B23C4D) {
        return true;
      }
    }
    return false;
  }
}
