package io.linerate.core.worker;

import io.linerate.core.balance.AssignedQueue;
import io.linerate.core.balance.Handover;
import io.linerate.core.balance.QueueOwner;
import io.linerate.core.measure.WorkerMeter;
import io.linerate.core.port.DriverPort;
import io.linerate.core.statistics.WorkerLoad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** A worker's receive queues: those that it polls, and how others come and they leave. */
final class WorkerQueues implements QueueOwner {
  private static final String STOPPED = "the engine has stopped";

  private final int worker;
  private final WorkerPorts ports;
  private final WorkerMeter meter;
  private final Outputs outputs;
  private final WorkerTasks tasks;
  private final Commands commands;
  private final int burst;
  private final PollWait pollWait;

  // An array: the iterator of a list is an object for each burst until the code is compiled.
  private PolledQueue[] polled = new PolledQueue[0];

  /** Those that wait until their packets have left. For the worker's thread. */
  private final List<Handover> leaving = new ArrayList<>();

  private volatile boolean takesQueues = true;

  /**
   * @param burst packets that a queue is asked for
   */
  WorkerQueues(
      int worker,
      int burst,
      WorkerPorts ports,
      WorkerMeter meter,
      Outputs outputs,
      WorkerTasks tasks,
      Commands commands) {
    this.worker = worker;
    this.burst = burst;
    this.ports = ports;
    this.meter = meter;
    this.outputs = outputs;
    this.tasks = tasks;
    this.commands = commands;
    pollWait = new PollWait(commands.wakeUp());
  }

  /** Those that are polled: replaced when one comes or leaves. */
  PolledQueue[] polled() {
    return polled;
  }

  int count() {
    return polled.length;
  }

  /** Packets that a queue is asked for. */
  int burst() {
    return burst;
  }

  /** Packets that the last poll of a queue brought. */
  int lastBurst(int index) {
    return polled[index].lastBurst;
  }

  /**
   * Packets that wait in a queue. What the last poll brought, where the port does not know: a queue
   * that brought a full burst has more.
   */
  int waiting(int index) {
    int waiting = polled[index].queue.waiting();
    return waiting < 0 ? polled[index].lastBurst : waiting;
  }

  /** Whether some wait until their packets have left. */
  boolean areLeaving() {
    return !leaving.isEmpty();
  }

  /** Sleeps until there is something to do: see {@link PollWait#await}. */
  void await(long mostNs) {
    pollWait.await(polled, tasks, mostNs);
  }

  @Override
  public int id() {
    return worker;
  }

  @Override
  public WorkerLoad load() {
    WorkerLoad load = meter.load();
    long waitedNs = Math.min(tasks.waitedNs(), load.busyNs());
    return new WorkerLoad(load.busyNs() - waitedNs, load.idleNs() + waitedNs);
  }

  @Override
  public Set<DriverPort> ports() {
    return ports.inputs();
  }

  @Override
  public boolean takesMore() {
    return takesQueues;
  }

  @Override
  public boolean canTake(DriverPort port) {
    return takesQueues && ports.inputs().contains(port);
  }

  /** Not while it is wired, and when it is to end. */
  void takesQueues(boolean isWanted) {
    takesQueues = isWanted;
  }

  @Override
  public void attach(AssignedQueue queue) {
    polled = Arrays.copyOf(polled, polled.length + 1);
    polled[polled.length - 1] = new PolledQueue(queue, ports.handler(queue.port()));
  }

  /** Whether the queue was there; it is not any more. */
  @SuppressWarnings("ReferenceEquality")
  boolean detach(AssignedQueue queue) {
    int before = polled.length;
    polled = Arrays.stream(polled).filter(one -> one.assigned != queue).toArray(PolledQueue[]::new);
    return polled.length < before;
  }

  @Override
  public void release(Handover handover) {
    commands.enqueue(() -> leave(handover), () -> handover.fail(STOPPED));
  }

  private void leave(Handover handover) {
    AssignedQueue queue = handover.queue();
    if (!detach(queue)) {
      handover.fail("it brings nothing any more");
      return;
    }
    leaving.add(handover); // First: it is told if the worker ends in what follows.
    ports.handler(queue.port()).queueMoves(queue, true);
    meter.busy();
    outputs.drain();
    handover.left(outputs.transmitted(), tasks.takenOver());
  }

  @Override
  public void take(Handover handover) {
    commands.enqueue(() -> arrive(handover), () -> handover.fail(STOPPED));
  }

  private void arrive(Handover handover) {
    AssignedQueue queue = handover.queue();
    ports.handler(queue.port()).queueMoves(queue, false);
    attach(queue);
    handover.complete();
  }

  /** Passes on those queues whose packets have left. */
  void passOn() {
    if (!leaving.isEmpty()) {
      leaving.removeIf(Handover::passOn);
    }
  }

  /** Whether there is none to poll, and none on its way to another worker. */
  boolean isEmpty() {
    return polled.length == 0 && leaving.isEmpty();
  }

  /** No queue that is on its way arrives any more. */
  void end() {
    leaving.forEach(handover -> handover.fail(STOPPED));
  }
}
