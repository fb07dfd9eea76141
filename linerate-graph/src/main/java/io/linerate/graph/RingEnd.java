package io.linerate.graph;

import io.linerate.core.driver.SpscRing;
import io.linerate.core.memory.DropReason;

/** The side of a ring that is emptied. For the worker's thread; numbers for any. */
abstract class RingEnd {
  private final SpscRing ring;

  /** Whether the worker that empties it also fills it. */
  private final boolean isOwn;

  /** Most that was seen inside. Written seldom: it only grows. */
  private volatile int peak;

  RingEnd(SpscRing ring, boolean isOwn) {
    this.ring = ring;
    this.isOwn = isOwn;
  }

  final SpscRing ring() {
    return ring;
  }

  final boolean isOwn() {
    return isOwn;
  }

  /** Whether another worker may still put something in. Any thread. */
  final boolean isFedByOther() {
    return !isOwn && !ring.isProducerClosed();
  }

  /**
   * Whether nothing is inside, and {@code wake} is called when another worker puts something in.
   */
  final boolean wakeOnArrival(Runnable wake) {
    return isFedByOther() ? ring.wakeOnPackets(wake) : ring.size() == 0;
  }

  /** How much is inside, {@code max} at most. */
  final int waiting(int max) {
    int waiting = ring.waiting(max);
    if (waiting > peak) {
      peak = waiting;
    }
    return Math.min(max, waiting);
  }

  /** Most that was seen inside. Any thread. */
  final int peak() {
    return peak;
  }

  abstract void dropAll(DropReason reason);
}
