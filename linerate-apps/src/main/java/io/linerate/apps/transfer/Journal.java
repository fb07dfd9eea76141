package io.linerate.apps.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Which extents of a file are there, in a file beside it: what the file is, and behind that the
 * number of each extent, in 32 bits, written once the extent is. It is believed until the machine
 * starts again: what a machine that has lost its power had written before may not be on the disk. A
 * file that another one is now begins anew. It is made for the first extent, not before.
 */
final class Journal {
  private static final int MAGIC = 0x4C52_4A32; // "LRJ2"
  private static final int MOST_BYTES = TransferWire.MOST_PIPE_EXTENTS * Integer.BYTES;
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

  private final PartsDirectory parts;
  private final String name;
  private final byte[] header;
  private final ByteBuffer number = ByteBuffer.allocate(Integer.BYTES);
  private long end;
  private @Nullable FileChannel channel;

  Journal(PartsDirectory parts, String name, FileFacts facts) {
    this.parts = parts;
    this.name = name;
    byte[] boot = boot();
    byte[] what = facts.toBytes();
    header =
        ByteBuffer.allocate(Integer.BYTES + boot.length + what.length)
            .putInt(MAGIC)
            .put(boot)
            .put(what)
            .array();
  }

  private static byte[] boot() {
    try {
      return Files.readAllBytes(BOOT);
    } catch (IOException e) {
      return "unknown".getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** What it says is there; nothing, if it is about another file. */
  BitSet read(int mostExtents) throws IOException {
    BitSet extents = new BitSet();
    byte[] all = parts.read(name, header.length + MOST_BYTES);
    if (all.length < header.length
        || !Arrays.equals(all, 0, header.length, header, 0, header.length)) {
      return extents;
    }
    ByteBuffer numbers = ByteBuffer.wrap(all, header.length, all.length - header.length);
    while (numbers.remaining() >= Integer.BYTES) {
      int extent = numbers.getInt();
      if (extent >= 0 && extent < mostExtents) {
        extents.set(extent);
      }
    }
    end = numbers.position();
    return extents;
  }

  /** An extent is there. */
  void add(int extent) throws IOException {
    FileChannel to = channel;
    if (to == null) {
      to = parts.open(name);
      channel = to;
      to.truncate(end);
      if (end == 0) {
        write(to, ByteBuffer.wrap(header));
      }
    }
    write(to, number.clear().putInt(extent).flip());
  }

  private void write(FileChannel to, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      end += to.write(bytes, end);
    }
  }

  void close() throws IOException {
    FileChannel open = channel;
    if (open != null) {
      open.close();
    }
  }

  void delete() throws IOException {
    close();
    channel = null;
    end = 0;
    parts.delete(name);
  }
}
