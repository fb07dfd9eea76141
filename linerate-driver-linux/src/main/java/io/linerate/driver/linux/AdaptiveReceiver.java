package io.linerate.driver.linux;

/**
 * Decides when a ring's emptied slots go back to the kernel: algorithm 2 of Muralidharan and Gregg,
 * "A High-Level Programming Framework for Communication Intensive Stream Applications", section
 * V-A.
 *
 * <p>What is there is known locally ({@code avb}) and taken without a look at the ring's own
 * indices. Slots taken go back together, once there are as many as the threshold (line 18), and
 * when all were taken; then the ring is looked at again (lines 21, 27). Unlike the paper's, this
 * receiver never sleeps when there is nothing (line 26): a worker serves other queues too, and its
 * idle strategy decides when it is time to wait in poll(2).
 *
 * <p>One thread's own. A driver's receive:
 *
 * <pre>{@code
 * int count = receiver.take(burst.room());
 * // read that many slots, which belong to the driver until the next take
 * }</pre>
 */
public final class AdaptiveReceiver {
  /** What the algorithm drives: a ring of slots that the kernel fills. */
  public interface Ring {
    /** Filled slots beyond those taken and not given back: a look at the kernel's index. */
    int available();

    /** Gives the {@code taken} oldest slots back. The ring counts its system calls itself. */
    void giveBack(int taken);
  }

  private final Ring ring;
  private final int threshold;

  /** Slots that hold packets for certain: avb of the paper. */
  private int available;

  /** Slots taken and not given back: limit - avb of the paper. */
  private int taken;

  /**
   * A receiver for one ring.
   *
   * @param threshold slots taken that go back together, at least 1
   */
  public AdaptiveReceiver(Ring ring, int threshold) {
    this.ring = ring;
    this.threshold = threshold;
  }

  /**
   * Takes the oldest slots, at most {@code wanted}; those taken before were read.
   *
   * @return their number, 0 when there is nothing
   */
  public int take(int wanted) {
    if (taken >= threshold || available == 0) {
      giveBack();
    }
    if (available == 0) {
      available = ring.available();
    }
    int count = Math.min(available, wanted);
    available -= count;
    taken += count;
    return count;
  }

  /** Slots that hold packets for certain, without a look at the ring. */
  public int available() {
    return available;
  }

  /** Gives back what was taken and read: before a wait, when the kernel needs all it can get. */
  public void giveBack() {
    if (taken > 0) {
      ring.giveBack(taken);
      taken = 0;
    }
  }
}
