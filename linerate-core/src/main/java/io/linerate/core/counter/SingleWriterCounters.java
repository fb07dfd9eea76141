package io.linerate.core.counter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Numbers that one thread adds to and any thread reads, each for itself: {@link CounterBlock} is
 * for those that must belong to one moment. No reader ever sees half a number or one that goes
 * backwards. What gives the numbers names may extend it: an object less lies between a packet and
 * its count.
 */
public class SingleWriterCounters {
  private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] counts;

  public SingleWriterCounters(int size) {
    counts = new long[size];
  }

  public final int size() {
    return counts.length;
  }

  /**
   * Adds one, as to a plain array: for each packet of a burst, where {@link #add} would keep the
   * compiler from working on several packets at once. Readers may see it when the burst has ended.
   * Writer only.
   */
  public final void increment(int index) {
    counts[index]++;
  }

  /**
   * As {@link #increment}, where the last number stands for all that there are no others for: the
   * check for that is the array's own.
   */
  public final void incrementOrLast(int index) {
    if (Integer.compareUnsigned(index, counts.length) < 0) {
      counts[index]++;
    } else {
      counts[counts.length - 1]++;
    }
  }

  /** Readers see it at once. Writer only. */
  public final void add(int index, long more) {
    COUNT.setOpaque(counts, index, counts[index] + more);
  }

  /**
   * Adds what another thread has counted until now, number by number. Writer only.
   *
   * @throws IndexOutOfBoundsException if those are more than these
   */
  public final void addAll(SingleWriterCounters other) {
    for (int i = 0; i < other.counts.length; i++) {
      add(i, other.get(i));
    }
  }

  /** Any thread. */
  public final long get(int index) {
    return (long) COUNT.getOpaque(counts, index);
  }

  /** All in their order. Any thread. */
  public final List<Long> toList() {
    return IntStream.range(0, counts.length).mapToObj(this::get).toList();
  }
}
