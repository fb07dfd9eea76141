package io.linerate.core.memory;

import io.linerate.core.counter.SingleWriterCounters;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.time.EpochClock;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  /** Null: that of the whole. */
  private final @Nullable DropPlace place;

  /** Who shows what is dropped; null: that of the whole. */
  private final @Nullable BurstOwner owner;

  public DropCounts() {
    this(null, null, null);
  }

  /** Those of a worker. */
  public DropCounts(BurstOwner owner) {
    this(null, DropPlace.NONE, owner);
  }

  /**
   * @param whole counts what is counted here too, and others besides: one thread writes them all
   */
  public DropCounts(DropCounts whole) {
    this(whole, null, null);
  }

  /** As the other, of a place. */
  public DropCounts(DropCounts whole, DropPlace place) {
    this(whole, place, null);
  }

  private DropCounts(
      @Nullable DropCounts whole, @Nullable DropPlace place, @Nullable BurstOwner owner) {
    this.whole = whole;
    this.place = place;
    this.owner = owner;
  }

  /** Where the packets are dropped; null if nobody has said so. */
  @Nullable DropPlace place() {
    DropCounts each = this;
    while (each.place == null && each.whole != null) {
      each = each.whole;
    }
    return each.place;
  }

  private @Nullable BurstOwner owner() {
    DropCounts each = this;
    while (each.owner == null && each.whole != null) {
      each = each.whole;
    }
    return each.owner;
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

  /** Counts a packet that is in no burst, and shows it to who wants to see what is dropped. */
  public void addPacket(DropReason reason, long mbuf) {
    show(reason, mbuf);
    add(reason, 1);
  }

  /**
   * As {@link #addPacket}, for several.
   *
   * @param handles address of an array of handles
   */
  public void addPackets(DropReason reason, long handles, int count) {
    for (int i = 0; i < count; i++) {
      show(reason, Handles.get(handles, i));
    }
    add(reason, count);
  }

  private void show(DropReason reason, long mbuf) {
    BurstOwner shows = owner();
    if (shows != null && shows.showsDrops()) {
      long receivedNs =
          Mbuf.hasTimestamp(mbuf) ? Mbuf.timestampNs(mbuf) : EpochClock.SYSTEM.epochNs();
      shows.showDrop(mbuf, receivedNs, reason, this);
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

  /** Packets by the name of their reason, in the order of {@link #reasons}. */
  public Map<String, Long> byName() {
    Map<String, Long> dropped = new LinkedHashMap<>();
    List<DropReason> known = reasons();
    for (int i = 0; i < known.size(); i++) {
      dropped.merge(known.get(i).name(), count(i), Long::sum);
    }
    return dropped;
  }
}
