package io.linerate.core.measure;

import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleUnit;
import io.linerate.core.counter.SingleWriterCounters;

/** How many packets a worker's polls brought, in classes of 1, 2-3, 4-7 and so on. */
final class PollCounts extends SingleWriterCounters {
  /** Slot 0: polls that brought nothing; slot n: those of 2^(n-1) packets to 2^n - 1. */
  PollCounts() {
    super(Integer.SIZE + 1);
  }

  /** A poll brought nothing. Worker only. */
  void addEmpty() {
    increment(0);
  }

  /** A poll brought a burst. Worker only. */
  void add(int packets) {
    increment(Integer.SIZE - Integer.numberOfLeadingZeros(packets));
  }

  /** Polls that brought nothing. Any thread. */
  long empty() {
    return get(0);
  }

  /** Adds a sample for each class that there were bursts of. Any thread. */
  void collect(SampleSink sink, String worker) {
    for (int slot = 1; slot < size(); slot++) {
      long bursts = get(slot);
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
