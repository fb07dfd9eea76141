package io.linerate.core.memory;

import io.linerate.core.counter.SingleWriterCounters;
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

  // Only as long as need be: what is made one after the other lies beside each other in memory, and
  // a burst touches fewer lines of the cache. The counts are replaced before the reasons.
  private volatile SingleWriterCounters counts = new SingleWriterCounters(0);
  private volatile DropReason[] reasons = new DropReason[0];

  private @Nullable DropCounts whole;

  public DropCounts() {
    this(null);
  }

  /**
   * @param whole counts what is counted here too, and others besides: one thread writes them all
   */
  public DropCounts(@Nullable DropCounts whole) {
    this.whole = whole;
  }

  /**
   * From now on counts in {@code whole} what is counted here.
   *
   * @throws IllegalArgumentException if that is a part of this
   */
  public void whole(DropCounts whole) {
    if (whole.isPartOf(this)) {
      throw new IllegalArgumentException("counts of drops cannot be part of themselves");
    }
    this.whole = whole;
  }

  /** Whether what is counted here is counted there too: they may be the same. */
  @SuppressWarnings("ReferenceEquality")
  public boolean isPartOf(DropCounts other) {
    DropCounts each = this;
    while (each != null && each != other) {
      each = each.whole;
    }
    return each != null;
  }

  public void add(DropReason reason, long packets) {
    for (DropCounts each = this; each != null; each = each.whole) {
      each.addHere(reason, packets);
    }
  }

  /** Counts there what was counted here until now, and begins anew here. */
  public void moveTo(DropCounts target) {
    for (int i = size() - 1; i >= 0; i--) {
      long packets = count(i);
      if (packets != 0) {
        target.add(reasons[i], packets);
        counts.add(i, -packets);
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // The fast way: most reasons are constants.
  private void addHere(DropReason reason, long packets) {
    DropReason[] seen = reasons;
    for (int i = 0; i < seen.length; i++) {
      if (seen[i] == reason) {
        counts.add(i, packets);
        return;
      }
    }
    int index = indexByName(reason); // First: it may replace the counts.
    counts.add(index, packets);
  }

  /** The last place is {@link DropReason#OTHER}'s, if there are so many. */
  private int indexByName(DropReason reason) {
    int known = reasons().indexOf(reason);
    if (known >= 0) {
      return known;
    }
    int size = size();
    if (size == MAX_REASONS) {
      return reasons().indexOf(DropReason.OTHER);
    }
    SingleWriterCounters more = new SingleWriterCounters(size + 1);
    more.addAll(counts);
    DropReason[] named = Arrays.copyOf(reasons, size + 1);
    named[size] = size < MAX_REASONS - 1 ? reason : DropReason.OTHER;
    counts = more;
    reasons = named;
    return size;
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
    return reasons.length;
  }

  /** Packets of the reason at {@code index}, in the order of {@link #reasons}. */
  public long count(int index) {
    return counts.get(index);
  }

  /** The reasons seen, in the order of their first packet. */
  public List<DropReason> reasons() {
    return List.of(reasons);
  }
}
