package io.linerate.apps.transfer;

import io.linerate.core.driver.NativeMemory;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What comes by a pipe: a thread of its own reads a few extents ahead, each of which is kept until
 * the receiver has it.
 */
final class PipeContent implements Content {
  private static final int AHEAD = 4;
  private static final int READ_BYTES = 1 << 16;

  private final InputStream in;
  private final int extentSize;
  private final Runnable onNews;
  private final Map<Integer, MemorySegment> extents = new HashMap<>();
  private final Deque<MemorySegment> free = new ArrayDeque<>();
  private final Thread reader;
  private int complete;
  private long size;
  private boolean hasEnded;
  private boolean isClosed;
  private @Nullable IOException failure;

  /**
   * @param onNews called on the reading thread when there is more, or the end
   */
  PipeContent(InputStream in, int extentSize, Runnable onNews) {
    this.in = in;
    this.extentSize = extentSize;
    this.onNews = onNews;
    for (int i = 0; i < AHEAD; i++) {
      free.add(Arena.ofAuto().allocate(extentSize, Long.BYTES));
    }
    reader = Thread.ofPlatform().daemon().name("linerate-pipe").unstarted(this::read);
  }

  void start() {
    reader.start();
  }

  private void read() {
    byte[] bytes = new byte[READ_BYTES];
    try {
      boolean isOver = false;
      while (!isOver) {
        MemorySegment extent = takeFree();
        if (extent == null) {
          return;
        }
        int filled = 0;
        while (filled < extentSize) {
          int some = in.read(bytes, 0, Math.min(bytes.length, extentSize - filled));
          if (some < 0) {
            isOver = true;
            break;
          }
          MemorySegment.copy(bytes, 0, extent, NativeMemory.U8, filled, some);
          filled += some;
        }
        add(extent, filled, isOver);
        onNews.run();
      }
    } catch (IOException e) {
      synchronized (this) {
        failure = e;
      }
      onNews.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized @Nullable MemorySegment takeFree() throws InterruptedException {
    while (free.isEmpty() && !isClosed) {
      wait();
    }
    return isClosed ? null : free.poll();
  }

  private synchronized void add(MemorySegment extent, int bytes, boolean isOver) {
    if (bytes > 0) {
      extents.put(complete++, extent);
      size += bytes;
    }
    hasEnded = isOver;
  }

  /** Extents that were read. */
  synchronized int extents() {
    return complete;
  }

  /** Bytes of an extent that was read. */
  synchronized int bytes(int extent) {
    return (int) Math.min(extentSize, size - (long) extent * extentSize);
  }

  synchronized long size() {
    return size;
  }

  synchronized boolean hasEnded() {
    return hasEnded;
  }

  /** What the pipe has failed with; null: nothing. */
  synchronized @Nullable IOException failure() {
    return failure;
  }

  @Override
  public synchronized int read(long offset, ByteBuffer to) throws IOException {
    if (failure != null) {
      throw failure;
    }
    MemorySegment extent = extents.get((int) (offset / extentSize));
    if (extent == null) {
      return 0; // The receiver has it.
    }
    int count = (int) Math.min(to.remaining(), size - offset);
    MemorySegment.copy(extent, offset % extentSize, MemorySegment.ofBuffer(to), 0, count);
    to.position(to.position() + count);
    return count;
  }

  @Override
  public synchronized void arrived(int extent) {
    MemorySegment memory = extents.remove(extent);
    if (memory != null) {
      free.add(memory);
      notifyAll();
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    notifyAll();
  }
}
