package io.linerate.stream.net;

import io.linerate.core.memory.ByteView;
import io.linerate.stream.Bytes;
import io.linerate.stream.Source;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/** Messages that say which one they are, and are as long and have the bytes that follow from it. */
final class Numbered implements Source<Consumer<Bytes>> {
  static final int MOST_BYTES = 6_000;

  private final MemorySegment memory = Arena.ofAuto().allocate(2 * MOST_BYTES, Long.BYTES);
  private final Bytes bytes = new Bytes();
  private final long count;
  private long next;

  Numbered(long count) {
    this.count = count;
    for (int i = 0; i < 2 * MOST_BYTES; i++) {
      memory.set(Datagram.U8, i, (byte) ((i * 7) + (i / 251)));
    }
  }

  static int length(long number) {
    return (int) (8 + (((number * 0x9E37_79B9_7F4A_7C15L) >>> 40) % (MOST_BYTES - 8)));
  }

  @Override
  public int poll(Consumer<Bytes> to, int max) {
    if (next == count) {
      return END;
    }
    int given = 0;
    for (; given < max && next < count; given++) {
      long at = next % MOST_BYTES;
      long kept = memory.get(Datagram.U64, at);
      memory.set(Datagram.U64, at, next);
      bytes.wrap(memory, at, length(next));
      to.accept(bytes);
      bytes.end();
      memory.set(Datagram.U64, at, kept);
      next++;
    }
    return given;
  }

  /** Takes such messages, and says what is wrong with them. */
  static final class Check {
    private final Numbered made = new Numbered(0);
    volatile long count;
    volatile long bytes;
    volatile String wrong = "";

    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes.
    void take(ByteView message) {
      long number = message.u64(0);
      if (number != count && wrong.isEmpty()) {
        wrong = "message %d came instead of %d".formatted(number, count);
      }
      isSame(message, number);
      count++;
      bytes += message.length();
    }

    /** As {@link #take}, of which some are missing. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes.
    void takeSome(ByteView message) {
      isSame(message, message.u64(0));
      count++;
    }

    private void isSame(ByteView message, long number) {
      if (message.length() != length(number)) {
        wrong = "message %d has %d bytes".formatted(number, message.length());
        return;
      }
      int at = (int) (number % MOST_BYTES);
      for (int i = Long.BYTES; i + Long.BYTES <= message.length(); i += Long.BYTES) {
        if (message.u64(i) != made.memory.get(Datagram.U64, at + i)) {
          wrong = "message %d has another byte behind %d".formatted(number, i);
          return;
        }
      }
    }
  }
}
