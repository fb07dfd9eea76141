package io.linerate.graph;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.worker.PacketLedger;
import org.jspecify.annotations.Nullable;

/**
 * A queue on one worker, which may feed it, empty it, or both: see {@link Wiring#crossing}. For the
 * worker's thread only; {@link #size} for any.
 */
public final class Crossing implements PacketStore {
  /** How long the worker that empties a queue waits for those that feed it to end. */
  private static final long PATIENCE_NS = 1_000_000_000;

  private final RunningElement element;
  private final @Nullable PacketRing fed;
  private final PacketRing[] emptied;

  /** Whether the same worker feeds and empties it. */
  private final boolean isLocal;

  /** Whether it ends without waiting for the workers that feed it. */
  private final boolean mayEnd;

  private final Burst dropping;
  private int next;

  /**
   * @param isCyclic whether workers feed each other by this queue and others: none could end if
   *     each waited for the other
   */
  @SuppressWarnings("ReferenceEquality")
  Crossing(
      RunningElement element, @Nullable PacketRing fed, PacketRing[] emptied, boolean isCyclic) {
    this.element = element;
    this.fed = fed;
    this.emptied = emptied;
    isLocal = emptied.length == 1 && emptied[0] == fed;
    mayEnd = isLocal || isCyclic;
    dropping = new Burst(element.replica().host().maxBurst(), element.drops(), () -> 1);
  }

  /** Takes packets out of a burst, as many as there is room for; the others stay in it. */
  public int put(Burst burst) {
    int count = fed == null ? 0 : fed.put(burst);
    if (isLocal) {
      ledger().addHeld(count);
    } else {
      ledger().addHandedOver(count);
    }
    return count;
  }

  /** Sends the oldest packets, at most {@code max}, and returns their number. */
  public int sendTo(Outlet outlet, int max) {
    int count = 0;
    for (int i = 0; i < emptied.length && count < max; i++) {
      next = next + 1 < emptied.length ? next + 1 : 0;
      count += emptied[next].sendTo(outlet, max - count);
    }
    took(count);
    return count;
  }

  private void took(int count) {
    if (isLocal) {
      ledger().addHeld(-count);
    } else {
      ledger().addTakenOver(count);
    }
  }

  private PacketLedger ledger() {
    return element.replica().host().ledger();
  }

  /** Packets that wait to be sent on this worker. */
  @Override
  public int size() {
    int size = 0;
    for (PacketRing ring : emptied) {
      size += ring.size();
    }
    return size;
  }

  @Override
  public int capacity() {
    int capacity = 0;
    for (PacketRing ring : emptied) {
      capacity += ring.capacity();
    }
    return capacity;
  }

  /** Whether there is something to send, or another worker may bring it. */
  boolean isActive() {
    for (PacketRing ring : emptied) {
      if (ring.size() > 0 || (!mayEnd && !ring.isProducerClosed())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Sends all that is inside. When the worker ends, it also sends what comes until the workers that
   * feed the queue have ended, or for a second, when one of them is stuck: then what that one still
   * puts in is dropped.
   */
  public void finish(Outlet outlet) {
    sendTo(outlet, Integer.MAX_VALUE);
    if (isLocal || !element.replica().isEnding()) {
      return;
    }
    long start = System.nanoTime();
    while (areFed() && System.nanoTime() - start < PATIENCE_NS) {
      sendTo(outlet, Integer.MAX_VALUE);
      element.flush();
      Thread.onSpinWait();
    }
    sendTo(outlet, Integer.MAX_VALUE);
  }

  private boolean areFed() {
    for (PacketRing ring : emptied) {
      if (!ring.isProducerClosed()) {
        return true;
      }
    }
    return false;
  }

  /** Drops what is inside and closes the worker's sides. */
  @Override
  public void dropAll(DropReason reason) {
    for (PacketRing ring : emptied) {
      drop(ring, reason);
    }
    if (isLocal) {
      return;
    }
    if (fed != null && fed.closeProducer()) {
      drop(fed, reason);
    }
    for (PacketRing ring : emptied) {
      if (ring.closeConsumer()) {
        drop(ring, reason);
      }
    }
  }

  private void drop(PacketRing ring, DropReason reason) {
    for (int count = ring.take(dropping); count > 0; count = ring.take(dropping)) {
      took(count);
      dropping.dropAll(reason);
      dropping.finish(element.replica().host().home());
    }
  }
}
