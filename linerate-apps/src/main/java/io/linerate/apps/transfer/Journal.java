package io.linerate.apps.transfer;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Which extents of a file are there, in a file beside it: what the file is, and behind that the
 * number of each extent, in 32 bits, written once the extent is. A file that another one is now
 * begins anew.
 */
final class Journal {
  private static final int MAGIC = 0x4C52_4A31; // "LRJ1"

  private final Path path;
  private final FileChannel channel;
  private final BitSet extents;
  private final ByteBuffer number = ByteBuffer.allocate(Integer.BYTES);

  private Journal(Path path, FileChannel channel, BitSet extents) {
    this.path = path;
    this.channel = channel;
    this.extents = extents;
  }

  /**
   * Opens one, or begins one.
   *
   * @param hasPart whether there is something that it may be about
   */
  static Journal open(Path path, FileFacts facts, boolean hasPart) throws IOException {
    BitSet extents = new BitSet();
    byte[] header = header(facts);
    long end = hasPart && facts.size() >= 0 ? read(path, header, facts, extents) : 0;
    FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    channel.truncate(end).position(end);
    if (end == 0) {
      ByteBuffer bytes = ByteBuffer.wrap(header);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
    return new Journal(path, channel, extents);
  }

  private static byte[] header(FileFacts facts) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(MAGIC);
    out.writeUTF(facts.name());
    out.writeLong(facts.size());
    out.writeLong(facts.modifiedNs());
    out.writeInt(facts.extentSize());
    return bytes.toByteArray();
  }

  /** Reads one; returns where its last whole number ends, 0 if it is about another file. */
  private static long read(Path path, byte[] header, FileFacts facts, BitSet extents)
      throws IOException {
    if (!Files.isRegularFile(path)) {
      return 0;
    }
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(path)))) {
      if (!Arrays.equals(in.readNBytes(header.length), header)) {
        return 0;
      }
      int most = TransferWire.extents(facts.size(), facts.extentSize());
      long end = header.length;
      byte[] number = in.readNBytes(Integer.BYTES);
      while (number.length == Integer.BYTES) {
        int extent = ByteBuffer.wrap(number).getInt();
        if (extent >= 0 && extent < most) {
          extents.set(extent);
        }
        end += Integer.BYTES;
        number = in.readNBytes(Integer.BYTES);
      }
      return end;
    }
  }

  BitSet extents() {
    return extents;
  }

  /** An extent is there. */
  void add(int extent) throws IOException {
    extents.set(extent);
    number.clear().putInt(extent).flip();
    while (number.hasRemaining()) {
      channel.write(number);
    }
  }

  void close() throws IOException {
    channel.close();
  }

  void delete() throws IOException {
    channel.close();
    Files.deleteIfExists(path);
  }
}
