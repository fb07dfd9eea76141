package io.linerate.core.worker;

import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleUnit;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** How many packets a worker's polls brought, in classes of 1, 2-3, 4-7 and so on. */
final class PollCounts {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);

  /** Slot 0: polls that brought nothing; slot n: those of 2^(n-1) packets to 2^n - 1. */
  private final long[] counts = new long[Integer.SIZE + 1];

  /** A poll brought nothing. Worker only. */
  void addEmpty() {
    SLOT.setOpaque(counts, 0, counts[0] + 1);
  }

  /** A poll brought a burst. Worker only. */
  void add(int packets) {
    int slot = Integer.SIZE - Integer.numberOfLeadingZeros(packets);
    SLOT.setOpaque(counts, slot, counts[slot] + 1);
  }

  /** Polls that brought nothing. Any thread. */
  long empty() {
    return (long) SLOT.getOpaque(counts, 0);
  }

  /** Adds a sample for each class that there were bursts of. Any thread. */
  void collect(SampleSink sink, String worker) {
    for (int slot = 1; slot < counts.length; slot++) {
      long bursts = (long) SLOT.getOpaque(counts, slot);
      if (bursts > 0) {
        long from = 1L << (slot - 1);
        sink.counter(
            "linerate_worker_bursts_total",
            SampleUnit.NONE,
            bursts,
            "worker",
            worker,
            "from",
            String.valueOf(from),
            "to",
            String.valueOf(2 * from - 1));
      }
    }
  }
}
