package io.linerate.fabric.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/**
 * Puts right what a process has left that was killed while it gave something to an endpoint of shm:
 * a command in its queue, and a buffer for its data. It did so in this order, with the lock that it
 * has kept: took a buffer from the pool, made a command known, counted it, and for remote memory
 * the same again with a second command, which says where.
 *
 * <p>What a program does not find as it must be it takes for what was written there before, and
 * writes beyond the pool when more buffers are counted than there are.
 *
 * <pre>
 *   48 +----------------------------------+
 *      | commands that may still be given |   8 bytes
 *   64 +----------------------------------+
 *      | where the queue is               |   size, mask, read, written: 8 bytes each; commands
 *   80 +----------------------------------+
 *      | where the pool is                |   24 bytes, 2, first free: 2, the next one of each: 2
 *   88 +----------------------------------+
 * </pre>
 */
final class RegionRepair {
  private static final int CREDIT = 48;
  private static final int QUEUE = 64;
  private static final int POOL = 80;

  private static final int READ = 16;
  private static final int WRITTEN = 24;
  private static final int COMMANDS = 32;
  private static final int COMMAND_BYTES = 256;
  private static final int OPERATION = 16;

  /** Commands, and buffers. */
  private static final int SIZE = 1024;

  private static final int BUFFER_BYTES = 8;
  private static final int FIRST_FREE = 26;
  private static final int NEXT = 28;
  private static final int POOL_BYTES = NEXT + Short.BYTES * SIZE;

  /** What may have been made known, and not counted. */
  private static final int UNCOUNTED = 2;

  private final FileChannel file;
  private final long base;

  /**
   * @param base where the region begins in the file
   */
  RegionRepair(FileChannel file, long base) {
    this.file = file;
    this.base = base;
  }

  /** Lets nobody give it anything any more: its process has ended. */
  void shut() throws IOException {
    write(CREDIT, 0);
  }

  /**
   * Takes back what is half done, and counts anew.
   *
   * @return whether all else is as it must be: otherwise nothing was changed
   */
  boolean repair() throws IOException {
    long queue = read(QUEUE);
    long read = read(queue + READ);
    long written = read(queue + WRITTEN);
    int buffers = freeBuffers(read(POOL));
    boolean isKnown = read(queue) == SIZE && read(queue + Long.BYTES) == SIZE - 1;
    if (!isKnown || buffers < 0 || written < read || written - read > SIZE) {
      return false;
    }
    long whole = lastWhole(queue, read, written);
    write(queue + WRITTEN, whole);
    long credit = Math.min(read(CREDIT) - UNCOUNTED, Math.min(buffers, SIZE - (whole - read)));
    write(CREDIT, Math.max(0, credit));
    return true;
  }

  /** Behind the last command that is there with its second one. */
  private long lastWhole(long queue, long read, long written) throws IOException {
    long at = read;
    while (at < written) {
      long command = queue + COMMANDS + (at & (SIZE - 1)) * COMMAND_BYTES;
      int commands = isOfRemoteMemory((int) read(command + OPERATION)) ? 2 : 1;
      if (at + commands > written) {
        return at;
      }
      at += commands;
    }
    return at;
  }

  /** Reading, writing and the atomic operations, by the numbers of ofi_proto.h. */
  private static boolean isOfRemoteMemory(int operation) {
    return switch (operation) {
      case 2, 4, 6, 7, 8 -> true;
      default -> false;
    };
  }

  /** How many the pool has; -1 where it is not as it must be. */
  private int freeBuffers(long pool) throws IOException {
    ByteBuffer all = ByteBuffer.allocate(POOL_BYTES).order(ByteOrder.nativeOrder());
    if (file.read(all, base + pool) < POOL_BYTES || all.getLong(BUFFER_BYTES) == 0) {
      return -1;
    }
    int count = 0;
    for (int next = all.getShort(FIRST_FREE); next >= 0; next = all.getShort(NEXT + 2 * next)) {
      if (next >= SIZE || count++ == SIZE) {
        return -1;
      }
    }
    return count;
  }

  private long read(long at) throws IOException {
    ByteBuffer value = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    if (file.read(value, base + at) < Long.BYTES) {
      throw new IOException("not a region: length=" + at);
    }
    return value.getLong(0);
  }

  private void write(long at, long value) throws IOException {
    ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    int _ = file.write(word.putLong(0, value), base + at);
  }
}
