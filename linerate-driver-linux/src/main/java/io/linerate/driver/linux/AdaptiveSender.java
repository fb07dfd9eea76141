package io.linerate.driver.linux;

/**
 * Decides when a ring's filled slots are worth a system call: algorithm 1 of Muralidharan and
 * Gregg, "A High-Level Programming Framework for Communication Intensive Stream Applications",
 * section V-A.
 *
 * <p>As there, the free space is known locally ({@code avb}) and the ring's own indices are looked
 * at only when that is used up (lines 24 to 26), and a batch is as long as the space allows (line
 * 18). "In cases where the application is generating sparse traffic it would be possible to
 * frequently update the ring": this class finds out by itself. The kernel is told when
 *
 * <ul>
 *   <li>the batch is full: {@code batchSlots} are filled, or no slot is free;
 *   <li>the drain timer has ended: the oldest filled slot has waited for {@code drainNs};
 *   <li>traffic is sparse: the burst before came more than {@code drainNs} ago, so that waiting for
 *       more to come would cost time and save nothing;
 *   <li>{@link #flush} says that the worker has nothing else to do.
 * </ul>
 *
 * One thread's own. A driver's send:
 *
 * <pre>{@code
 * int count = sender.reserve(wanted);
 * // fill that many slots
 * sender.commit(count, System.nanoTime());
 * }</pre>
 */
public final class AdaptiveSender {
  /** What the algorithm drives: a ring of slots that the kernel empties. */
  public interface Ring {
    /**
     * Slots that may be filled: a look at what the kernel gave back. Slots that are filled, and of
     * which the kernel was not told, are not free.
     */
    int free();

    /**
     * Tells the kernel of the {@code filled} oldest slots of which it was not told. The ring counts
     * its system calls itself.
     *
     * @return of how many it was told; the others are announced again later
     */
    int announce(int filled);
  }

  private final Ring ring;
  private final CallPolicy policy;
  private final int batchSlots;
  private final long drainNs;

  /** Slots that are free for certain: avb of the paper. */
  private int space;

  /** Slots filled since the kernel was told. */
  private int filled;

  private long oldestNs;
  private long lastNs = Long.MIN_VALUE / 2;

  /**
   * A sender for one ring.
   *
   * @param batchSlots filled slots that are always worth a call, at least 1
   * @param drainNs longest time that a filled slot waits while bursts come
   */
  public AdaptiveSender(Ring ring, CallPolicy policy, int batchSlots, long drainNs) {
    this.ring = ring;
    this.policy = policy;
    this.batchSlots = batchSlots;
    this.drainNs = drainNs;
  }

  /**
   * Slots that may be filled now, at most {@code wanted}.
   *
   * @return their number; less than wanted when the ring is full even after the kernel was told
   */
  public int reserve(int wanted) {
    if (space < wanted) {
      space = ring.free();
      if (space < wanted && filled > 0) {
        announce();
        space = ring.free();
      }
    }
    return Math.min(space, wanted);
  }

  /** Says that the next {@code count} slots, reserved before, are filled. */
  public void commit(int count, long nowNs) {
    boolean sparse = nowNs - lastNs > drainNs;
    lastNs = nowNs;
    if (count == 0) {
      return;
    }
    if (filled == 0) {
      oldestNs = nowNs;
    }
    space -= count;
    filled += count;
    if (isDue(sparse, nowNs)) {
      announce();
    }
  }

  private boolean isDue(boolean sparse, long nowNs) {
    return switch (policy) {
      case ALWAYS -> true;
      case FULL -> space == 0;
      case ADAPTIVE -> filled >= batchSlots || space == 0 || sparse || nowNs - oldestNs >= drainNs;
    };
  }

  /** The worker has nothing else to do, or its drain timer ended: nothing waits any longer. */
  public void flush() {
    if (filled > 0 && policy != CallPolicy.FULL) {
      announce();
    }
  }

  /** Tells the kernel of all, whatever the policy: for the end. */
  public void drain() {
    if (filled > 0) {
      announce();
    }
  }

  /** Slots filled of which the kernel was not told. */
  public int pending() {
    return filled;
  }

  private void announce() {
    filled -= ring.announce(filled);
  }
}
