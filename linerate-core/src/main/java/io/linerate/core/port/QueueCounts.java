package io.linerate.core.port;

import io.linerate.core.counter.CounterBlock;
import java.util.stream.Stream;

/**
 * What a queue of a port counts: its own thread adds, and publishes once a burst; any thread reads
 * what was published, always as a consistent set.
 */
public final class QueueCounts {
  /** What every queue counts. Further numbers are the driver's. */
  public static final int PACKETS = 0;

  public static final int BYTES = 1;

  private final long[] counts;
  private final CounterBlock published;

  public QueueCounts(int size) {
    counts = new long[size];
    published = new CounterBlock(size);
  }

  public void add(int counter, long more) {
    counts[counter] += more;
  }

  public void set(int counter, long value) {
    counts[counter] = value;
  }

  /** What it is now, published or not. */
  public long get(int counter) {
    return counts[counter];
  }

  public void publish() {
    published.begin();
    for (int i = 0; i < counts.length; i++) {
      published.set(i, counts[i]);
    }
    published.publish();
  }

  /** What was published last. Any thread. */
  public long[] read() {
    return published.read();
  }

  /** The sums over queues that count {@code size} numbers each. Any thread. */
  public static long[] sum(int size, Stream<QueueCounts> queues) {
    long[] sums = new long[size];
    queues.forEach(queue -> {
      long[] counts = queue.read();
      for (int i = 0; i < size; i++) {
        sums[i] += counts[i];
      }
    });
    return sums;
  }
}
