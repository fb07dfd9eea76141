package io.linerate.core.worker;

import java.util.concurrent.CompletableFuture;

/**
 * A queue on its way from one worker to another.
 *
 * <ol>
 *   <li>The old worker, between two bursts, stops to poll the queue and lets its handler send what
 *       it holds.
 *   <li>It transmits what its outputs hold. Packets of the queue's flows are now in transmit queues
 *       at most.
 *   <li>It waits until these packets have left, as far as the ports know; its other queues go on
 *       meanwhile.
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

  final Input input;
  final Worker target;
  final CompletableFuture<Void> done;

  /** Packets that each output of the old worker had sent when the queue left. */
  private long[] marks = new long[0];

  private long deadlineNs;

  Handover(Input input, Worker target, CompletableFuture<Void> done) {
    this.input = input;
    this.target = target;
    this.done = done;
  }

  /** Notes what has to leave before the queue may arrive. */
  void mark(Output[] outputs) {
    marks = new long[outputs.length];
    for (int i = 0; i < marks.length; i++) {
      marks[i] = outputs[i].sent();
    }
    deadlineNs = System.nanoTime() + PATIENCE_NS;
  }

  /** Whether it has left. */
  boolean isReady(Output[] outputs) {
    for (int i = 0; i < marks.length; i++) {
      if (!outputs[i].hasLeft(marks[i])) {
        return System.nanoTime() - deadlineNs >= 0;
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
