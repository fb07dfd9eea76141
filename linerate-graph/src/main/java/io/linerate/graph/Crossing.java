package io.linerate.graph;

import io.linerate.core.driver.SpscRing;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.PacketLedger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue on one worker, which may feed it, empty it, or both: see {@link Wiring#crossing}. For the
 * worker's thread, on any other it throws {@link WrongThreadException}; {@link #size} and {@link
 * #peak} for any.
 */
public final class Crossing implements PacketStore {
  /** How long the worker that empties a queue waits for those that feed it to end. */
  static final long MAX_WAIT_NS = 1_000_000_000;

  private final RunningElement element;
  private final @Nullable SpscRing fed;

  /** Replaced as a whole when a worker joins; other threads read it. */
  private volatile PacketQueue[] emptied;

  /** Whether the same worker empties what this one feeds. */
  private final boolean isOwn;

  /** Whether workers feed each other by this and others: see {@link LastRounds}. */
  private final boolean isCyclic;

  /** Packets that must have room, or what feeds this waits; 0: it drops what does not fit. */
  private final int margin;

  private int next;
  private boolean isClosed;
  private boolean isHoldingBack;

  /**
   * @param margin packets that must have room, or what feeds this waits; 0: it drops
   * @param isCyclic whether workers feed each other by this queue and others: none could end if
   *     each waited for the other
   */
  Crossing(
      RunningElement element,
      @Nullable SpscRing fed,
      List<SpscRing> emptied,
      boolean isCyclic,
      int margin) {
    this.margin = margin;
    this.element = element;
    this.fed = fed;
    isOwn = fed != null && emptied.contains(fed);
    this.emptied = emptied.stream().map(this::queue).toArray(PacketQueue[]::new);
    this.isCyclic = isCyclic;
  }

  @SuppressWarnings("ReferenceEquality")
  private PacketQueue queue(SpscRing ring) {
    return new PacketQueue(element, ring, ring == fed && isOwn);
  }

  /** Takes packets out of a burst, as many as there is room for; the others stay in it. */
  public int put(Burst burst) {
    element.replica().host().owner().require();
    int count = fed == null || isClosed || fed.isConsumerClosed() ? 0 : move(burst, fed);
    if (isOwn) {
      ledger().addHeld(count);
    } else {
      ledger().addHandedOver(count);
    }
    return count;
  }

  private int move(Burst burst, SpscRing ring) {
    BurstOwner owner = element.replica().host().owner();
    int room = ring.room(burst.live());
    int count = 0;
    if (room > 0) {
      for (Packet packet : burst) {
        long receivedNs = packet.timestampNs();
        ring.add(owner.take(packet), receivedNs);
        if (++count == room) {
          break;
        }
      }
      ring.publish();
    }
    return count;
  }

  /**
   * Sends the oldest packets, at most {@code max}, and returns their number: none while a queue
   * behind this one holds back.
   */
  public int sendTo(Outlet outlet, int max) {
    element.replica().host().owner().require();
    return element.isHeldBack() ? 0 : sendAll(outlet, max);
  }

  /**
   * Whether what feeds this is to wait: from when there is no room for the margin until half of the
   * ring is free.
   */
  boolean holdsBack() {
    if (margin == 0 || fed == null) {
      return false;
    }
    int wanted = isHoldingBack ? Math.max(margin, fed.capacity() / 2) : margin;
    isHoldingBack = !fed.isConsumerClosed() && fed.room(wanted) < wanted;
    return isHoldingBack;
  }

  private int sendAll(Outlet outlet, int max) {
    PacketQueue[] queues = isClosed ? new PacketQueue[0] : emptied;
    int count = 0;
    for (int i = 0; i < queues.length && count < max; i++) {
      next = next + 1 < queues.length ? next + 1 : 0;
      count += queues[next].sendTo(outlet, max - count);
    }
    return count;
  }

  /** See {@link Round#restNs}: until somebody puts something in. */
  public long restNs(Runnable wake) {
    element.replica().host().owner().require();
    boolean isEmpty = true;
    for (PacketQueue queue : emptied) {
      isEmpty &= isClosed || queue.wakeOnPackets(wake);
    }
    return isEmpty ? Long.MAX_VALUE : 0;
  }

  /** A worker that was added feeds this one from now on. Any thread. */
  void submitJoin(SpscRing ring) {
    element.replica().host().worker().submit(() -> join(queue(ring)));
  }

  private void join(PacketQueue queue) {
    if (isClosed) {
      close(queue, RunningElement.STOPPED); // What came before this worker knew of it.
      return;
    }
    List<PacketQueue> queues = new ArrayList<>(List.of(emptied));
    queues.removeIf(old -> old.ring().isExhausted());
    queues.add(queue);
    emptied = queues.toArray(new PacketQueue[0]);
  }

  /**
   * What says whether all packets that were put in until now, for another worker, have come out
   * there: what is put in later by others cannot pass them then.
   */
  BooleanSupplier handedOver() {
    SpscRing ring = fed;
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
    return Arrays.stream(emptied).mapToInt(PacketQueue::size).sum();
  }

  @Override
  public int capacity() {
    return Arrays.stream(emptied).mapToInt(PacketQueue::capacity).sum();
  }

  /** Most packets that ever waited in each ring, as far as this worker saw them. Any thread. */
  int peak() {
    return Arrays.stream(emptied).mapToInt(PacketQueue::peak).sum();
  }

  boolean isCyclic() {
    return isCyclic;
  }

  /** Whether there is something to send, or another worker may bring it. */
  boolean isActive() {
    for (PacketQueue queue : emptied) {
      if (queue.size() > 0 || (!isCyclic && queue.isFedByOther())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Sends all that is inside. When the worker ends, it also sends what comes until the workers that
   * feed the queue have ended, or for a second, when one of them is stuck: then what that one still
   * puts in is dropped. Workers that feed each other end together.
   */
  public void finish(Outlet outlet) {
    element.replica().host().owner().require();
    sendAll(outlet, Integer.MAX_VALUE);
    if (isCyclic || !element.replica().isEnding()) {
      return;
    }
    long start = System.nanoTime();
    while (isFedByOthers() && System.nanoTime() - start < MAX_WAIT_NS) {
      sendAll(outlet, Integer.MAX_VALUE);
      element.flush();
      Thread.onSpinWait();
    }
    sendAll(outlet, Integer.MAX_VALUE);
  }

  /** Whether other workers hand packets to this one here. */
  private boolean isFedByOthers() {
    for (PacketQueue queue : emptied) {
      if (queue.isFedByOther()) {
        return true;
      }
    }
    return false;
  }

  /** Drops what is inside and closes the worker's sides. */
  @Override
  public void dropAll(DropReason reason) {
    element.replica().host().owner().require();
    Objects.requireNonNull(reason, "reason");
    for (PacketQueue queue : emptied) {
      queue.dropAll(reason);
    }
    isClosed = true;
    if (fed != null && fed.closeProducer()) {
      queue(fed).dropAll(reason);
    }
    for (PacketQueue queue : emptied) {
      close(queue, reason);
    }
  }

  private static void close(PacketQueue queue, DropReason reason) {
    if (queue.ring().closeConsumer()) {
      queue.dropAll(reason);
    }
  }
}
