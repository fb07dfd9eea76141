package io.linerate.core.counter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Numbers that one thread writes and others read, always as a consistent set: a sequence lock. The
 * writer never waits; a reader that meets a write tries again.
 */
public final class CounterBlock {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);

  /** Slot 0 is the sequence number, odd while the writer is at work. */
  private final long[] slots;

  private long sequence;

  public CounterBlock(int size) {
    slots = new long[size + 1];
  }

  public int size() {
    return slots.length - 1;
  }

  /** Starts a change: readers wait until {@link #publish}. Writer only. */
  public void begin() {
    SLOT.setOpaque(slots, 0, ++sequence);
    VarHandle.storeStoreFence();
  }

  /** Sets a number, between {@link #begin} and {@link #publish}. Writer only. */
  public void set(int index, long value) {
    SLOT.setOpaque(slots, index + 1, value);
  }

  /** Ends a change. Writer only. */
  public void publish() {
    SLOT.setRelease(slots, 0, ++sequence);
  }

  /** All numbers as they were at one moment. Any thread. */
  public long[] read() {
    long[] copy = new long[size()];
    while (true) {
      long before = (long) SLOT.getAcquire(slots, 0);
      if ((before & 1) == 0) {
        for (int i = 0; i < copy.length; i++) {
          copy[i] = (long) SLOT.getOpaque(slots, i + 1);
        }
        VarHandle.loadLoadFence();
        if ((long) SLOT.getOpaque(slots, 0) == before) {
          return copy;
        }
      }
      Thread.onSpinWait();
    }
  }
}
