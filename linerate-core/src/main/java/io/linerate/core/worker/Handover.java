package io.linerate.core.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * A queue on its way from one worker to another.
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
final class Handover {
  /**
   * How long packets may take to leave a transmit queue. A queue that stands still for that long
   * has a receiver that is dead or far too slow; the packets in the receive queue are dearer then.
   */
  private static final long PATIENCE_NS = 100_000_000;

  /**
   * How long other workers may take for what they were handed: longer, since one that stands still
   * is stuck in a handler, and its packets are behind that in any case.
   */
  private static final long WORKER_PATIENCE_NS = 1_000_000_000;

  final Input input;
  final Worker target;
  final CompletableFuture<Void> done;

  /** Packets that each output of the old worker had sent when the queue left. */
  private long[] marks = new long[0];

  /** What the tasks of the old worker had handed to others by then. */
  private final List<BooleanSupplier> handedOver = new ArrayList<>();

  private long markedNs;

  Handover(Input input, Worker target, CompletableFuture<Void> done) {
    this.input = input;
    this.target = target;
    this.done = done;
  }

  /** Notes what has to leave before the queue may arrive. */
  void mark(Output[] outputs, WorkerTask[] tasks) {
    marks = new long[outputs.length];
    for (int i = 0; i < marks.length; i++) {
      marks[i] = outputs[i].taken();
    }
    for (WorkerTask task : tasks) {
      handedOver.add(task.handedOver());
    }
    markedNs = System.nanoTime();
  }

  /** Whether it has left. */
  boolean isReady(Output[] outputs) {
    long waitedNs = System.nanoTime() - markedNs;
    return (waitedNs >= PATIENCE_NS || haveLeft(outputs))
        && (waitedNs >= WORKER_PATIENCE_NS
            || handedOver.stream().allMatch(BooleanSupplier::getAsBoolean));
  }

  private boolean haveLeft(Output[] outputs) {
    for (int i = 0; i < marks.length; i++) {
      if (!outputs[i].hasLeft(marks[i])) {
        return false;
      }
    }
    return true;
  }

  void fail(String reason) {
    done.completeExceptionally(
        new IllegalStateException(
            "queue was not moved: "
                + input
                + ", worker="
                + target.id()
                + ", reason="
                + reason
                + "; packets are where they were"));
  }
}
