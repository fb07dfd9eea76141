package io.linerate.core.measure;

import com.sun.management.ThreadMXBean;
import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleUnit;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of workers have allocated on the heap, in bytes: HotSpot counts it for each
 * thread. The bean that tells takes 30 ms to load, so who collects samples has it loaded, and not
 * before the program has run for a second; workers only ask it when they end.
 */
public final class WorkerAllocations {
  private static final long LEAST_RUN_NS = 1_000_000_000;

  /** By number of the worker. Guarded by this. */
  private final Map<Integer, Count> counts = new LinkedHashMap<>();

  private volatile @Nullable ThreadMXBean bean;

  private static final class Count {
    final long threadId;

    /** -1: nobody asked while it ran. */
    long bytes = -1;

    Count(long threadId) {
      this.threadId = threadId;
    }

    void update(ThreadMXBean by) {
      bytes = Math.max(bytes, by.getThreadAllocatedBytes(threadId)); // -1 when it has ended.
    }
  }

  /** A worker gets its thread. */
  public synchronized void begins(int worker, Thread thread) {
    counts.put(worker, new Count(thread.threadId()));
  }

  /** A worker's thread ends: what it has allocated by now is its last number. On that thread. */
  public synchronized void ends(int worker) {
    ThreadMXBean known = bean;
    Count count = counts.get(worker);
    if (known != null && count != null) {
      count.update(known);
    }
  }

  /**
   * Adds a sample for each worker, if the virtual machine counts. Any thread.
   *
   * @param runNs how long the program has run
   */
  synchronized void collect(SampleSink sink, long runNs) {
    if (bean == null && runNs >= LEAST_RUN_NS) {
      bean = counting();
    }
    ThreadMXBean known = bean;
    if (known == null) {
      return;
    }
    counts.forEach((worker, count) -> {
      count.update(known);
      if (count.bytes >= 0) {
        sink.counter(
            "linerate_worker_allocated_bytes_total",
            SampleUnit.BYTES,
            count.bytes,
            "worker",
            String.valueOf(worker));
      }
    });
  }

  private static @Nullable ThreadMXBean counting() {
    return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads
            && threads.isThreadAllocatedMemorySupported()
            && threads.isThreadAllocatedMemoryEnabled()
        ? threads
        : null;
  }
}
