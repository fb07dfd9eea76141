package io.linerate.apps.capture;

import io.linerate.core.memory.DropReason;
import io.linerate.core.statistics.PacketCounts;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Packets that may still be received, all workers together. A worker claims before it receives, and
 * gives back what did not come.
 */
public final class PacketBudget {
  private final AtomicLong unclaimed;
  private final AtomicLong open;

  /**
   * @param packets at most
   */
  public PacketBudget(long packets) {
    unclaimed = new AtomicLong(packets);
    open = new AtomicLong(packets);
  }

  /** Packets that count of those that were received. */
  public static long spent(PacketCounts counts) {
    return counts.received() - counts.dropped().getOrDefault(DropReason.FILTERED.name(), 0L);
  }

  /** Claims {@code wanted} packets, all or none. */
  boolean claim(int wanted) {
    while (true) {
      long left = unclaimed.get();
      if (left < wanted) {
        return false;
      }
      if (unclaimed.compareAndSet(left, left - wanted)) {
        return true;
      }
    }
  }

  /** Settles a claim: {@code received} of the {@code claimed} packets came. */
  void settle(int claimed, int received) {
    open.addAndGet(-received);
    unclaimed.addAndGet((long) claimed - received);
  }

  /** Whether all have come. */
  boolean isSpent() {
    return open.get() == 0;
  }
}
