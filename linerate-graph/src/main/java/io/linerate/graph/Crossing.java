package io.linerate.graph;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.statistics.PacketLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
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

  /** Replaced as a whole when a worker joins; other threads read it. */
  private volatile PacketRing[] emptied;

  /** Whether the same worker empties what this one feeds. */
  private final boolean isOwn;

  /** Whether it ends without waiting for the workers that feed it. */
  private final boolean mayEnd;

  /** Packets that must have room, or what feeds this waits; 0: it drops what does not fit. */
  private final int margin;

  private final OwnedBurst dropping;
  private int next;
  private boolean isClosed;

  /**
   * @param margin packets that must have room, or what feeds this waits; 0: it drops
   * @param isCyclic whether workers feed each other by this queue and others: none could end if
   *     each waited for the other
   */
  Crossing(
      RunningElement element,
      @Nullable PacketRing fed,
      PacketRing[] emptied,
      boolean isCyclic,
      int margin) {
    this.margin = margin;
    this.element = element;
    this.fed = fed;
    this.emptied = emptied;
    isOwn = fed != null && List.of(emptied).contains(fed);
    mayEnd = isCyclic;
    dropping =
        element
            .replica()
            .host()
            .burst(element.replica().host().maxBurst(), element.drops(), () -> 1);
  }

  /** Takes packets out of a burst, as many as there is room for; the others stay in it. */
  public int put(Burst burst) {
    int count = fed == null ? 0 : fed.put(burst);
    if (isOwn) {
      ledger().addHeld(count);
    } else {
      ledger().addHandedOver(count);
    }
    return count;
  }

  /**
   * Sends the oldest packets, at most {@code max}, and returns their number: none while a queue
   * behind this one holds back.
   */
  public int sendTo(Outlet outlet, int max) {
    return element.isHeldBack() ? 0 : sendAll(outlet, max);
  }

  /** Whether what feeds this is to wait. */
  boolean holdsBack() {
    return margin > 0 && fed != null && fed.holdsBack(margin);
  }

  private int sendAll(Outlet outlet, int max) {
    PacketRing[] rings = emptied;
    int count = 0;
    for (int i = 0; i < rings.length && count < max; i++) {
      next = next + 1 < rings.length ? next + 1 : 0;
      count += send(rings[next], outlet, max - count);
    }
    return count;
  }

  /** What is thrown on the way costs no packet that is still in the ring. */
  private int send(PacketRing ring, Outlet outlet, int max) {
    long before = ring.packetsOut();
    try {
      return ring.sendTo(outlet, max);
    } finally {
      took(ring, ring.packetsOut() - before);
    }
  }

  private void took(PacketRing ring, long count) {
    if (isOwn(ring)) {
      ledger().addHeld(-count);
    } else {
      ledger().addTakenOver(count);
    }
  }

  /** Whether this worker feeds the ring that it empties. */
  @SuppressWarnings("ReferenceEquality")
  private boolean isOwn(PacketRing ring) {
    return isOwn && ring == fed;
  }

  /** A worker that was added feeds this one from now on. Any thread. */
  void submitJoin(PacketRing ring) {
    element.replica().host().worker().submit(() -> join(ring));
  }

  private void join(PacketRing ring) {
    if (isClosed) {
      if (ring.closeConsumer()) {
        drop(ring, RunningElement.STOPPED); // What came before this worker knew of the ring.
      }
      return;
    }
    List<PacketRing> rings = new ArrayList<>(List.of(emptied));
    rings.removeIf(old -> old.isProducerClosed() && old.size() == 0);
    rings.add(ring);
    emptied = rings.toArray(new PacketRing[0]);
  }

  /**
   * What says whether all packets that were put in until now, for another worker, have come out
   * there: what is put in later by others cannot pass them then.
   */
  BooleanSupplier handedOver() {
    PacketRing ring = fed;
    if (ring == null || isOwn) {
      return () -> true;
    }
    long mark = ring.packetsIn();
    return () -> ring.packetsOut() >= mark;
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
      if (ring.size() > 0 || (!mayEnd && isFed(ring))) {
        return true;
      }
    }
    return false;
  }

  /** Whether another worker may still put something into a ring. */
  private boolean isFed(PacketRing ring) {
    return !isOwn(ring) && !ring.isProducerClosed();
  }

  /**
   * Sends all that is inside. When the worker ends, it also sends what comes until the workers that
   * feed the queue have ended, or for a second, when one of them is stuck: then what that one still
   * puts in is dropped.
   */
  public void finish(Outlet outlet) {
    sendAll(outlet, Integer.MAX_VALUE);
    if (!element.replica().isEnding()) {
      return;
    }
    long start = System.nanoTime();
    while (isFedByOthers() && System.nanoTime() - start < PATIENCE_NS) {
      sendAll(outlet, Integer.MAX_VALUE);
      element.flush();
      Thread.onSpinWait();
    }
    sendAll(outlet, Integer.MAX_VALUE);
  }

  /** Whether other workers hand packets to this one here. Any thread. */
  boolean isFedByOthers() {
    for (PacketRing ring : emptied) {
      if (isFed(ring)) {
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
    isClosed = true;
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
    for (int count = ring.take(dropping.array()); count > 0; count = ring.take(dropping.array())) {
      took(ring, count);
      dropping.dropAll(reason);
      dropping.finish(element.replica().host().home());
    }
  }
}
