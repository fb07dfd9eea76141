package io.linerate.bench.fabric.exchange;

import io.linerate.bench.port.OrderTaker;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A number of messages that are sent from none under way to all taken, one such transfer after the
 * other while an order lasts, at least one.
 */
final class Volume implements OrderTaker.Slice {
  private final long messages;

  private volatile long leastNs;
  private volatile boolean isUnderWay;
  private volatile @Nullable Thread orderer;
  private boolean hasBegun;

  /** All that may be sent until now, of which the last ones may not have been. */
  private long last;

  private long startNs;
  private long ns;

  /**
   * @param messages of a transfer, as many whole parts of the window as it takes
   */
  Volume(long messages, int part) {
    this.messages = (messages + part - 1) / part * part;
  }

  @Override
  public long run(int ms) {
    orderer = Thread.currentThread();
    leastNs = TimeUnit.MILLISECONDS.toNanos(ms);
    isUnderWay = true;
    while (isUnderWay) {
      LockSupport.park(this);
    }
    return ns;
  }

  /** How many may be sent, of all orders; by the thread that sends. */
  long maySend() {
    if (!hasBegun && isUnderWay) { // Then it sees what was written before that.
      hasBegun = true;
      last += messages;
      startNs = System.nanoTime();
    }
    return last;
  }

  /** So many of all were taken. */
  void taken(long all) {
    if (hasBegun && all >= last) {
      ns = System.nanoTime() - startNs;
      if (ns < leastNs) {
        last += messages;
      } else {
        hasBegun = false;
        isUnderWay = false;
        LockSupport.unpark(orderer);
      }
    }
  }
}
