package io.linerate.testkit;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Packets whose bytes nobody can read: they lie in a mapped file that has become shorter since. The
 * virtual machine answers with an {@link InternalError}, the kernel with EFAULT.
 */
public final class VanishedPackets implements AutoCloseable {
  private static final int PAGE_BYTES = 4_096;
  private static final int LENGTH_BYTES = 64;

  private final Arena arena = Arena.ofShared();
  private final long bytes;

  public VanishedPackets() throws IOException {
    Path file = Files.createTempFile("vanished", "");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      bytes = channel.map(MapMode.READ_WRITE, 0, PAGE_BYTES, arena).address();
      channel.truncate(0);
    } finally {
      Files.delete(file);
    }
  }

  /** Appends packets, whose headers are in a pool of these pools. */
  public void append(PacketPools pools, MbufArray packets, int count) {
    BufferPool headers = pools.createHeaders("vanished", count, 1);
    int start = packets.size();
    if (!headers.allocate(packets, count)) {
      throw new IllegalStateException("pool is too small: packets=" + count);
    }
    for (int i = 0; i < count; i++) {
      long mbuf = packets.handle(start + i);
      Mbuf.buffer(mbuf, bytes, PAGE_BYTES);
      Mbuf.dataLength(mbuf, LENGTH_BYTES);
      Mbuf.packetLength(mbuf, LENGTH_BYTES);
      Mbuf.inFile(mbuf);
    }
  }

  /** After the engine in which the packets travelled. */
  @Override
  public void close() {
    arena.close();
  }
}
