package io.linerate.driver.dpdk;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import org.jspecify.annotations.Nullable;

/** A receive queue: the device writes handles straight into the array. */
final class DpdkRxQueue implements RxQueue {
  private final int port;
  private final int queue;
  private final DpdkPool pool;
  private final @Nullable RxInterrupt interrupt;
  private final boolean bringsVlanTags;
  private boolean closed;

  /**
   * @param hasInterrupt whether the device was set up so that it may tell when packets come
   * @param bringsVlanTags whether it was set up to take them off
   */
  DpdkRxQueue(int port, int queue, DpdkPool pool, boolean hasInterrupt, boolean bringsVlanTags) {
    this.port = port;
    this.queue = queue;
    this.pool = pool;
    this.bringsVlanTags = bringsVlanTags;
    interrupt = hasInterrupt ? new RxInterrupt(port, queue) : null;
  }

  @Override
  public int receive(MbufArray packets) {
    return (int) exchange(packets, 0, 0, 0, 0, 0) & MbufArray.MAX_CAPACITY;
  }

  @Override
  public int receive(MbufArray packets, FreeBuffer spent) {
    storeOthers(spent);
    return (int) exchange(packets, spent.spent(), spent.takeSpent(), 0, 0, 0)
        & MbufArray.MAX_CAPACITY;
  }

  @Override
  public boolean canExchange(TxQueue tx, MbufArray due) {
    return !closed && tx instanceof DpdkTxQueue other && other.canExchange(due);
  }

  @Override
  public long exchange(MbufArray packets, FreeBuffer spent, TxQueue tx, MbufArray due) {
    storeOthers(spent);
    long queues = ((DpdkTxQueue) tx).queues();
    return exchange(packets, spent.spent(), spent.takeSpent(), queues, due.address(), due.size());
  }

  private static void storeOthers(FreeBuffer spent) {
    if (!(spent.spentOrigin() instanceof DpdkPool)) {
      spent.storeSpent();
    }
  }

  @Override
  public boolean bringsLongPackets() {
    return false;
  }

  @Override
  public boolean bringsVlanTags() {
    return bringsVlanTags;
  }

  @Override
  public boolean canWait() {
    return interrupt != null && interrupt.isThere();
  }

  @Override
  public int waitFor(Runnable wake) {
    return closed || interrupt == null ? CANNOT_TELL : interrupt.arm();
  }

  /** See {@link DpdkLibrary#exchange}. */
  private long exchange(
      MbufArray packets, long spent, int spentCount, long tx, long due, int dueCount) {
    if (closed) {
      throw new IllegalStateException("port is closed: DPDK port=" + port + ", rx queue=" + queue);
    }
    if (interrupt != null && interrupt.isArmed()) {
      interrupt.disarm();
    }
    int room = packets.room();
    long done =
        DpdkLibrary.exchange(
            DpdkLibrary.queue(port, queue) | tx << 32,
            packets.reserve(room),
            (long) dueCount << 32 | (long) spentCount << 16 | room,
            spent,
            due);
    // Any of DPDK's pools frees the packets of all of them.
    packets.extend((int) done & MbufArray.MAX_CAPACITY, pool, done >>> 32);
    return done;
  }

  void close() {
    closed = true;
  }
}
