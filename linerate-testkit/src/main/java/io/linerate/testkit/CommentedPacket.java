package io.linerate.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A packet of a pcapng file, as its enhanced packet block says (draft-ietf-opsawg-pcapng, sections
 * 3.5 and 4.3), read apart from what writes and reads such files otherwise.
 *
 * @param comment of its options; "" if it has none
 * @param lengthBytes of the whole packet, of which the file may have less
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record CommentedPacket(String comment, int lengthBytes, byte[] bytes) {
  private static final int ENHANCED_PACKET = 6;
  private static final int COMMENT = 1;
  private static final int DATA_OFFSET = 28;

  /** All packets of a little-endian file. */
  public static List<CommentedPacket> read(Path file) throws IOException {
    return read(Files.readAllBytes(file));
  }

  /** The same of its bytes. */
  public static List<CommentedPacket> read(byte[] file) {
    ByteBuffer blocks = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    List<CommentedPacket> packets = new ArrayList<>();
    for (int at = 0; at < file.length; at += blocks.getInt(at + 4)) {
      int length = blocks.getInt(at + 4);
      if (blocks.getInt(at + length - 4) != length) {
        throw new IllegalArgumentException("lengths of a block differ: offset=" + at);
      }
      if (blocks.getInt(at) == ENHANCED_PACKET) {
        packets.add(packet(file, blocks, at, at + length - 4));
      }
    }
    return packets;
  }

  private static CommentedPacket packet(byte[] file, ByteBuffer blocks, int at, int end) {
    int captured = blocks.getInt(at + 20);
    int start = at + DATA_OFFSET;
    byte[] bytes = Arrays.copyOfRange(file, start, start + captured);
    String comment = "";
    for (int option = start + padded(captured); option < end; ) {
      int size = blocks.getShort(option + 2);
      if (blocks.getShort(option) == COMMENT) {
        comment = new String(file, option + 4, size, StandardCharsets.UTF_8);
      }
      option += 4 + padded(size);
    }
    return new CommentedPacket(comment, blocks.getInt(at + 24), bytes);
  }

  private static int padded(int bytes) {
    return (bytes + 3) & ~3;
  }
}
