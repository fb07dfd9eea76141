package io.linerate.driver.linux;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortException;
import io.linerate.core.port.TxQueue;
import org.jspecify.annotations.Nullable;

/** A transmit queue of a {@link ReopeningPort}: that of the port that there is now. */
final class ReopeningTxQueue implements TxQueue {
  /** How long the worker that ends waits for a port that is closed. */
  private static final long SETTLE_NS = 1_000_000_000;

  private final ReopeningPort port;
  private final PacketPools pools;

  /** All that were refused; written by the queue's own thread. */
  private final DropCounts refused = new DropCounts();

  private @Nullable DriverPort of;
  private @Nullable TxQueue inner;
  private int mtuBytes = Integer.MAX_VALUE;
  private boolean finishesChecksums = true;
  private boolean cutsDatagrams = true;

  // Of ports that are closed on another thread: what they had not decided, and what they refuse
  // then.
  private final DropCounts refusedLate = new DropCounts();
  private int leftUndecided;
  private boolean isSettled;

  ReopeningTxQueue(ReopeningPort port, PacketPools pools) {
    this.port = port;
    this.pools = pools;
  }

  synchronized void attach(DriverPort now, TxQueue queue) {
    of = now;
    inner = queue;
    mtuBytes = Math.min(mtuBytes, queue.mtuBytes());
    finishesChecksums &= queue.finishesChecksums();
    cutsDatagrams &= queue.cutsDatagrams();
    DropCounts its = queue.refused();
    if (its != null) {
      its.whole(refused);
    }
  }

  /** The port is about to be closed on another thread. */
  synchronized void detach() {
    if (inner != null) {
      isSettled = false;
      leftUndecided += inner.undecided();
      DropCounts its = inner.refused();
      if (its != null) {
        its.whole(refusedLate);
      }
    }
    of = null;
    inner = null;
  }

  /** It was closed, and has decided everything. */
  synchronized void settle() {
    isSettled = true;
    notifyAll();
  }

  /** A port that is being closed decides soon. */
  private void awaitSettled() {
    long end = System.nanoTime() + SETTLE_NS;
    while (leftUndecided > 0 && !isSettled && System.nanoTime() - end < 0) {
      try {
        wait(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Counts what was refused then. On the queue's own thread. */
  private void takeSettled() {
    if (isSettled) {
      isSettled = false;
      leftUndecided = 0;
      refusedLate.moveTo(refused);
    }
  }

  @Override
  public synchronized int send(MbufArray packets, int from) {
    takeSettled();
    if (inner == null) {
      return refuse(packets, from);
    }
    try {
      return inner.send(packets, from);
    } catch (PortException e) {
      port.lost(of, String.valueOf(e.getMessage()));
      return refuse(packets, from);
    }
  }

  private int refuse(MbufArray packets, int from) {
    int count = packets.size() - from;
    long handles = Handles.address(packets.address(), from);
    refused.addPackets(DropReason.TX_LINK_DOWN, handles, count);
    pools.free(handles, count);
    return count;
  }

  /** Of all that there were: a program does not ask again. */
  @Override
  public synchronized boolean finishesChecksums() {
    return finishesChecksums;
  }

  @Override
  public synchronized boolean cutsDatagrams() {
    return cutsDatagrams;
  }

  @Override
  public synchronized boolean finishes(long mbuf) {
    return inner != null && inner.finishes(mbuf);
  }

  @Override
  public synchronized int mtuBytes() {
    return mtuBytes;
  }

  @Override
  public DropCounts refused() {
    return refused;
  }

  @Override
  public synchronized int undecided() {
    takeSettled();
    return leftUndecided + (inner == null ? 0 : inner.undecided());
  }

  @Override
  public synchronized void decide() {
    awaitSettled();
    takeSettled();
    if (inner != null) {
      inner.decide();
    }
  }

  @Override
  public synchronized void flush() {
    takeSettled();
    if (inner != null) {
      try {
        inner.flush();
      } catch (PortException e) {
        port.lost(of, String.valueOf(e.getMessage()));
      }
    }
  }

  @Override
  public synchronized int waiting() {
    return inner == null ? 0 : inner.waiting();
  }
}
