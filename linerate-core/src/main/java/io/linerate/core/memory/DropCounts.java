package io.linerate.core.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Dropped packets by reason. One thread writes, any may read; a program has few reasons, so that a
 * scan from the first is the fastest map.
 */
public final class DropCounts {
  /** Reasons that are told apart, {@link DropReason#OTHER} included. */
  public static final int MAX_REASONS = 250;

  private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle SIZE = field("size", int.class);
  private static final VarHandle REASONS = field("reasons", DropReason[].class);
  private static final VarHandle COUNTS = field("counts", long[].class);

  private @Nullable DropCounts whole;

  // Replaced by longer ones: a reader that sees one sees what it was filled with.
  private DropReason[] reasons = new DropReason[8];
  private long[] counts = new long[8];

  /** Written after what it counts, read before it. */
  private int size;

  public DropCounts() {
    this(null);
  }

  /**
   * @param whole counts what is counted here too, and others besides: one thread writes them all
   */
  public DropCounts(@Nullable DropCounts whole) {
    this.whole = whole;
  }

  /** From now on counts in {@code whole} what is counted here. */
  public void whole(DropCounts whole) {
    this.whole = whole;
  }

  public void add(DropReason reason, long packets) {
    addHere(reason, packets);
    if (whole != null) {
      whole.add(reason, packets);
    }
  }

  @SuppressWarnings("ReferenceEquality") // The fast way: most reasons are constants.
  private void addHere(DropReason reason, long packets) {
    for (int i = 0; i < size; i++) {
      if (reasons[i] == reason) {
        COUNT.setOpaque(counts, i, counts[i] + packets);
        return;
      }
    }
    addByName(reason, packets);
  }

  private void addByName(DropReason reason, long packets) {
    int last = MAX_REASONS - 1;
    DropReason known = size < last || reasons().contains(reason) ? reason : DropReason.OTHER;
    int index = reasons().indexOf(known);
    if (index < 0) {
      append(known, packets);
    } else {
      COUNT.setOpaque(counts, index, counts[index] + packets);
    }
  }

  private void append(DropReason reason, long packets) {
    if (size == reasons.length) {
      REASONS.setRelease(this, Arrays.copyOf(reasons, 2 * size));
      COUNTS.setRelease(this, Arrays.copyOf(counts, 2 * size));
    }
    reasons[size] = reason;
    counts[size] = packets;
    SIZE.setRelease(this, size + 1);
  }

  public long total() {
    long total = 0;
    for (int i = size() - 1; i >= 0; i--) {
      total += count(i);
    }
    return total;
  }

  public long of(DropReason reason) {
    int index = reasons().indexOf(reason);
    return index < 0 ? 0 : count(index);
  }

  /** Number of reasons seen. */
  public int size() {
    return (int) SIZE.getAcquire(this);
  }

  /** Packets of the reason at {@code index}, in the order of {@link #reasons}. */
  public long count(int index) {
    return (long) COUNT.getOpaque((long[]) COUNTS.getAcquire(this), index);
  }

  /** The reasons seen, in the order of their first packet. */
  public List<DropReason> reasons() {
    int seen = size();
    return new ArrayList<>(Arrays.asList((DropReason[]) REASONS.getAcquire(this)).subList(0, seen));
  }

  private static VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(DropCounts.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
