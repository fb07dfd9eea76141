package io.linerate.core.worker;

import io.linerate.core.balance.AssignedQueue;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.log.FailureLog;
import io.linerate.core.measure.WorkerMeter;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.FilterSettings;
import io.linerate.core.port.PortException;
import io.linerate.core.port.RxQueue;
import org.jspecify.annotations.Nullable;

/** Polls a worker's receive queues, and gives what they bring to their handlers. On its thread. */
final class QueuePoller {
  private static final System.Logger LOG = System.getLogger(QueuePoller.class.getName());

  private final WorkerContext context;
  private final WorkerQueues queues;

  /** Null: each in turn. */
  private final @Nullable QueueChoice choice;

  /** What stands before all handlers; null: nothing. */
  private final @Nullable FilterStage filter;

  /** What is received, and what of it handlers are given. */
  private final OwnedBurst arrived;

  private final BurstOwner owner;

  private final MbufArray array;
  private final Burst burst;
  private final FreeBuffer freeBuffer;
  private final WorkerMeter meter;
  private final Outputs outputs;

  /**
   * Shown some of the bursts before their handler gets them: all would cost a quarter of the rate.
   */
  private @Nullable BurstProbe probe;

  private int burstsPerProbe;
  private int probesLeft;

  /** Bursts until one is shown to the probe; 0: none is. */
  private int burstsToProbe;

  QueuePoller(
      WorkerContext context,
      WorkerQueues queues,
      OwnedBurst arrived,
      FreeBuffer freeBuffer,
      WorkerMeter meter,
      Outputs outputs) {
    this.context = context;
    this.queues = queues;
    this.arrived = arrived;
    this.freeBuffer = freeBuffer;
    this.meter = meter;
    this.outputs = outputs;
    owner = arrived.owner();
    array = arrived.array();
    burst = arrived.burst();
    choice = QueueChoice.of(context.config().queueOrder());
    filter = FilterSettings.of(context.config()).map(FilterStage::new).orElse(null);
  }

  /** See {@link Worker#probe}. */
  void probe(@Nullable BurstProbe next, int every, int most) {
    probe = next;
    burstsPerProbe = every;
    probesLeft = most;
    burstsToProbe = next == null || most < 1 ? 0 : every;
  }

  private void show(@Nullable BurstProbe current) {
    if (current != null) {
      try {
        current.onBurst(burst);
        owner.settle();
        burstsToProbe = --probesLeft > 0 ? burstsPerProbe : 0;
      } catch (Throwable e) { // What a probe does costs no packet.
        probe = null;
        FailureLog.log(LOG, "probe failed and is taken away: worker=" + queues.id(), e);
      }
    }
  }

  /** A round; returns the packets that came. */
  int poll() {
    return choice == null || queues.count() < 2 ? pollEach() : pollChosen(choice);
  }

  private int pollEach() {
    int packets = 0;
    for (PolledQueue queue : queues.polled()) {
      packets += poll(queue);
    }
    return packets;
  }

  private int pollChosen(QueueChoice next) {
    int packets = 0;
    for (int polls = queues.count(); polls > 0 && queues.count() > 0; polls--) {
      packets += poll(queues.polled()[next.next(queues)]);
    }
    return packets > 0 ? packets : pollEach();
  }

  private int poll(PolledQueue queue) {
    if (!queue.handler.isReady()) {
      return 0;
    }
    RxQueue from = queue.queue;
    Output due = outputs.transmitDue(from); // What handlers have sent until now.
    long done;
    boolean isLast;
    try {
      done = due == null ? from.receive(array, freeBuffer) : due.exchange(from, array, freeBuffer);
      isLast = (done & MbufArray.MAX_CAPACITY) == 0 && from.exhausted();
    } catch (Throwable e) { // Whatever a driver does, the worker's other queues go on.
      receiveFailed(queue.assigned, e);
      return 0;
    }
    int count = (int) done & MbufArray.MAX_CAPACITY;
    if (due != null) {
      due.exchanged((int) done >>> Character.SIZE);
    }
    if (count == 0) {
      queue.lastBurst = 0;
      meter.emptyPoll();
      if (isLast) {
        remove(queue.assigned);
      }
      return 0;
    }
    meter.busy();
    meter.poll(count);
    queue.add(count);
    handle(queue);
    arrived.finishInPlace(freeBuffer);
    return count;
  }

  private void handle(PolledQueue queue) {
    if (filter != null && !queue.queue.makesPackets() && !leavesAny(queue, filter)) {
      return;
    }
    if (burstsToProbe > 0 && --burstsToProbe == 0) {
      show(probe);
    }
    handle(queue, queue.handler, queue.handler.handler);
  }

  /** Whether the filter leaves any packet of the burst. */
  private boolean leavesAny(PolledQueue queue, FilterStage stage) {
    int before = burst.live();
    handle(queue, queue.handler, stage);
    int left = burst.live();
    queue.queue.filtered(before - left);
    return left > 0;
  }

  private void handle(PolledQueue queue, InputHandler input, BurstHandler handler) {
    int live = burst.live();
    try {
      handler.onBurst(burst);
      owner.settle();
    } catch (Throwable e) { // Whatever a handler does, its worker goes on.
      InternalError fault = input.guard.goOn(handler, burst, live, e);
      if (fault != null && queue.queue.isMappedFile()) {
        fail(queue.assigned, "packets cannot be read any more", fault);
      } else if (fault != null) { // Of another port's file, or one that the handler has mapped.
        input.guard.add(fault);
      }
    }
  }

  private void receiveFailed(AssignedQueue queue, Throwable e) {
    fail(queue, "receive queue failed", e);
    // There should be none: what a driver received before it failed was not handled.
    meter.received(burst.size());
    arrived.finish(freeBuffer);
    meter.busy();
  }

  private void fail(AssignedQueue queue, String what, Throwable e) {
    context
        .onInputFailure()
        .accept(PortException.of(e, what + ": port=" + queue.port().name() + ","));
    remove(queue);
  }

  private void remove(AssignedQueue queue) {
    if (queues.detach(queue)) {
      context.onQueueEnd().accept(queue);
    }
  }
}
