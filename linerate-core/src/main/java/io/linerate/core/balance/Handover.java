package io.linerate.core.balance;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * A queue that moves from one worker to another.
 *
 * <ol>
 *   <li>The old worker, between two bursts, stops to poll the queue and lets its handler send what
 *       it holds.
 *   <li>It transmits what its outputs hold. Packets of the queue's flows are now in transmit queues
 *       at most.
 *   <li>It waits until these packets have left, as far as the ports know, and until other workers
 *       have taken up what its tasks handed to them; its other queues go on meanwhile.
 *   <li>The new worker begins to poll, and only now can a later packet of the same flow be sent, by
 *       another transmit queue.
 * </ol>
 *
 * Packets that come meanwhile wait in the receive queue.
 */
public final class Handover {
  /**
   * How long packets may take to leave a transmit queue. A queue that stands still for that long
   * has a receiver that is dead or far too slow; the packets in the receive queue are dearer then.
   */
  private static final long TRANSMIT_TIMEOUT_NS = 100_000_000;

  /**
   * How long other workers may take for what they were handed: longer, since one that stands still
   * is stuck in a handler, and its packets are behind that in any case.
   */
  private static final long WORKER_TIMEOUT_NS = 1_000_000_000;

  private final AssignedQueue queue;
  private final QueueOwner target;
  private final CompletableFuture<Void> done;

  // Those of the old worker, once the queue has left.
  private BooleanSupplier isTransmitted = () -> true;
  private BooleanSupplier isTakenOver = () -> true;
  private long leftNs;

  Handover(AssignedQueue queue, QueueOwner target, CompletableFuture<Void> done) {
    this.queue = queue;
    this.target = target;
    this.done = done;
  }

  public AssignedQueue queue() {
    return queue;
  }

  /**
   * The old worker polls the queue no more.
   *
   * @param transmitted whether what its outputs had transmitted by then has left
   * @param takenOver whether what its tasks had handed to others by then was taken up
   */
  public void left(BooleanSupplier transmitted, BooleanSupplier takenOver) {
    isTransmitted = transmitted;
    isTakenOver = takenOver;
    leftNs = System.nanoTime();
  }

  /** Passes the queue on to the new worker, if its packets have left; returns whether they have. */
  public boolean passOn() {
    long waitedNs = System.nanoTime() - leftNs;
    boolean isReady =
        (waitedNs >= TRANSMIT_TIMEOUT_NS || isTransmitted.getAsBoolean())
            && (waitedNs >= WORKER_TIMEOUT_NS || isTakenOver.getAsBoolean());
    if (isReady) {
      target.take(this);
    }
    return isReady;
  }

  /** The new worker polls the queue. */
  public void complete() {
    done.complete(null);
  }

  public void fail(String reason) {
    done.completeExceptionally(
        new IllegalStateException(
            "queue was not moved: %s, worker=%d, reason=%s; packets are where they were"
                .formatted(queue, target.id(), reason)));
  }
}
