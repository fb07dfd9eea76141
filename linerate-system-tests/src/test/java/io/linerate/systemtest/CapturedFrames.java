package io.linerate.systemtest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The frames of a capture file of the format pcap, in this machine's byte order. */
final class CapturedFrames {
  private static final int FILE_HEADER_BYTES = 24;
  private static final int LENGTH = 8;
  private static final int RECORD_HEADER_BYTES = 16;

  private CapturedFrames() {}

  static List<byte[]> of(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
    List<byte[]> frames = new ArrayList<>();
    bytes.position(FILE_HEADER_BYTES);
    while (bytes.hasRemaining()) {
      byte[] frame = new byte[bytes.getInt(bytes.position() + LENGTH)];
      bytes.position(bytes.position() + RECORD_HEADER_BYTES).get(frame);
      frames.add(frame);
    }
    return frames;
  }
}
