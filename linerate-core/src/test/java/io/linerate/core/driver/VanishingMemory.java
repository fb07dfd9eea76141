package io.linerate.core.driver;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A mapped file that becomes shorter. */
final class VanishingMemory implements AutoCloseable {
  static final int PAGE_BYTES = 4_096;

  private final Arena arena = Arena.ofConfined();
  private final FileChannel channel;
  private final MemorySegment map;

  VanishingMemory(int pages) throws IOException {
    Path file = Files.createTempFile("vanishing", "");
    channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    Files.delete(file);
    map = channel.map(MapMode.READ_WRITE, 0, (long) pages * PAGE_BYTES, arena);
  }

  MemorySegment map() {
    return map;
  }

  long address() {
    return map.address();
  }

  /** From now on only the first pages can be read. */
  void cutTo(int pages) throws IOException {
    channel.truncate((long) pages * PAGE_BYTES);
  }

  @Override
  public void close() throws IOException {
    arena.close();
    channel.close();
  }
}
