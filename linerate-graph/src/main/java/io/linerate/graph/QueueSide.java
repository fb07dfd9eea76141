package io.linerate.graph;

import io.linerate.core.driver.SpscRing;
import io.linerate.core.memory.DropReason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue on one worker, which may feed it, empty it, or both. For the worker's thread, on any
 * other it throws {@link WrongThreadException}; {@link #size} and {@link #capacity} for any.
 */
public abstract sealed class QueueSide implements Brake permits Crossing, TokenCrossing {
  /** How long the worker that empties a queue waits for those that feed it to end. */
  static final long MAX_WAIT_NS = 1_000_000_000;

  /** Sent before it is asked again whether something holds back. */
  private static final int STEP = 64;

  private final RunningElement element;
  private final @Nullable SpscRing fed;
  private final Ends ends;

  /** Replaced as a whole when a worker joins; other threads read it. */
  private volatile RingEnd[] emptied;

  /** Whether the same worker empties what this one feeds. */
  private final boolean isOwn;

  /** Whether workers feed each other by this and others: see {@link LastRounds}. */
  private final boolean isCyclic;

  /** What must have room, or what feeds this waits; 0: it does not wait. */
  private final int margin;

  private int next;
  private boolean isClosed;
  private boolean isHoldingBack;

  /** Makes the side of a ring that is emptied. */
  @FunctionalInterface
  interface Ends {
    RingEnd of(SpscRing ring, boolean isOwn);
  }

  /**
   * One worker's part of a queue.
   *
   * @param isCyclic whether workers feed each other by this queue and others: none could end if
   *     each waited for the other
   */
  record Part(@Nullable SpscRing fed, List<SpscRing> emptied, boolean isCyclic) {
    private boolean isOwn() {
      return fed != null && emptied.contains(fed);
    }
  }

  QueueSide(RunningElement element, Part part, int margin, Ends ends) {
    this.element = element;
    this.margin = margin;
    this.ends = ends;
    fed = part.fed();
    isOwn = part.isOwn();
    isCyclic = part.isCyclic();
    emptied = part.emptied().stream().map(this::end).toArray(RingEnd[]::new);
  }

  @SuppressWarnings("ReferenceEquality")
  private RingEnd end(SpscRing ring) {
    return ends.of(ring, ring == fed && isOwn);
  }

  /**
   * Sends the oldest of what is in a ring on.
   *
   * @return how much
   */
  abstract int send(RingEnd end, int max);

  final RunningElement element() {
    return element;
  }

  /** What this worker feeds; null if it feeds nothing, or what it feeds is closed. */
  final @Nullable SpscRing open() {
    SpscRing ring = fed;
    return ring == null || isClosed || ring.isConsumerClosed() ? null : ring;
  }

  /** Whether this worker sends on what comes in, here or elsewhere. */
  final boolean empties() {
    return emptied.length > 0;
  }

  final boolean isOwn() {
    return isOwn;
  }

  final boolean isCyclic() {
    return isCyclic;
  }

  /**
   * Whether what feeds this is to wait: from when there is no room for the margin until half of the
   * ring is free.
   */
  @Override
  public final boolean holdsBack() {
    if (margin == 0 || fed == null) {
      return false;
    }
    int wanted = isHoldingBack ? Math.max(margin, fed.capacity() / 2) : margin;
    isHoldingBack = !fed.isConsumerClosed() && fed.room(wanted) < wanted;
    return isHoldingBack;
  }

  /**
   * Sends the oldest, as {@link #send}, of all rings in turn: none while something behind holds
   * back, which is asked now and then, or before each: see {@link Wiring#isToAskForEach}.
   */
  final int sendSome(int max) {
    int step = element.isToAskForEach() ? 1 : STEP;
    int count = 0;
    while (count < max && !element.isHeldBack()) {
      int sent = sendAll(Math.min(step, max - count));
      if (sent == 0) {
        break;
      }
      count += sent;
    }
    return count;
  }

  private int sendAll(int max) {
    RingEnd[] rings = isClosed ? new RingEnd[0] : emptied;
    int count = 0;
    for (int i = 0; i < rings.length && count < max; i++) {
      next = next + 1 < rings.length ? next + 1 : 0;
      count += send(rings[next], max - count);
    }
    return count;
  }

  /** See {@link Round#restNs}: until somebody puts something in. */
  public final long restNs(Runnable wake) {
    element.replica().host().owner().require();
    boolean isEmpty = !hasAdded();
    for (RingEnd end : emptied) {
      isEmpty &= isClosed || end.wakeOnArrival(wake);
    }
    return isEmpty ? Long.MAX_VALUE : 0;
  }

  /** A worker that was added feeds this one from now on. Any thread. */
  final void submitJoin(SpscRing ring) {
    element.replica().host().worker().submit(() -> join(end(ring)));
  }

  private void join(RingEnd end) {
    if (isClosed) {
      close(end, RunningElement.STOPPED); // What came before this worker knew of it.
      return;
    }
    List<RingEnd> all = new ArrayList<>(List.of(emptied));
    all.removeIf(old -> old.ring().isExhausted());
    all.add(end);
    emptied = all.toArray(new RingEnd[0]);
  }

  /**
   * What says whether all that was put in until now, for another worker, has come out there: what
   * is put in later by others cannot pass it then.
   */
  final BooleanSupplier handedOver() {
    SpscRing ring = fed;
    if (ring == null || isOwn) {
      return () -> true;
    }
    long mark = ring.packetsIn();
    return () -> ring.packetsOut() >= mark;
  }

  /** What waits to be sent on this worker. */
  public final int size() {
    int size = 0;
    for (RingEnd end : emptied) {
      size += end.ring().size();
    }
    return size;
  }

  /** What can wait on this worker. */
  public final int capacity() {
    return Arrays.stream(emptied).mapToInt(end -> end.ring().capacity()).sum();
  }

  /** The most that ever waited in each ring, as far as this worker saw it. Any thread. */
  final int peak() {
    return Arrays.stream(emptied).mapToInt(RingEnd::peak).sum();
  }

  /** Whether something was put in here since what is inside was handed over last. */
  private boolean hasAdded() {
    SpscRing ring = open();
    return ring != null && ring.added() > 0;
  }

  /** Whether something is inside, to be sent or handed over by this worker. */
  final boolean hasWaiting() {
    return hasAdded() || size() > 0;
  }

  /** Whether there is something to send, or another worker may bring it. */
  final boolean isActive() {
    if (hasAdded()) {
      return true;
    }
    for (RingEnd end : emptied) {
      if (end.ring().size() > 0 || (!isCyclic && end.isFedByOther())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Sends all that is inside. When the worker ends, it also sends what comes until the workers that
   * feed the queue have ended, or for a second, when one of them is stuck: then what that one still
   * puts in is dropped. Workers that feed each other end together: see {@link Replica#end}.
   */
  final void finish() {
    element.replica().host().owner().require();
    sendAll(Integer.MAX_VALUE);
    if (isCyclic || !element.replica().isEnding()) {
      return;
    }
    long start = System.nanoTime();
    while (isFedByOthers() && System.nanoTime() - start < MAX_WAIT_NS) {
      sendAll(Integer.MAX_VALUE);
      element.flush();
      int _ = element.replica().stages().workWhileWaiting(); // They may be what is waited for.
      Thread.onSpinWait();
    }
    sendAll(Integer.MAX_VALUE);
  }

  /** Nothing more is put in on this worker: all that is before the queue has ended here. */
  final void closeFed() {
    if (fed != null) {
      closeFed(fed, RunningElement.STOPPED);
    }
  }

  /** What was added is handed over first: whoever closes last drops it, and counts. */
  private void closeFed(SpscRing ring, DropReason reason) {
    if (ring.added() > 0) {
      ring.publish();
    }
    if (ring.closeProducer()) {
      end(ring).dropAll(reason);
    }
  }

  /** Whether other workers hand something to this one here. */
  final boolean isFedByOthers() {
    for (RingEnd end : emptied) {
      if (end.isFedByOther()) {
        return true;
      }
    }
    return false;
  }

  /** Drops what is inside and closes the worker's sides. */
  public final void dropAll(DropReason reason) {
    element.replica().host().owner().require();
    Objects.requireNonNull(reason, "reason");
    for (RingEnd end : emptied) {
      end.dropAll(reason);
    }
    isClosed = true;
    if (fed != null) {
      closeFed(fed, reason);
    }
    for (RingEnd end : emptied) {
      close(end, reason);
    }
  }

  private static void close(RingEnd end, DropReason reason) {
    if (end.ring().closeConsumer()) {
      end.dropAll(reason);
    }
  }
}
