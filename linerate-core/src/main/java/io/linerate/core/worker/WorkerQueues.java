package io.linerate.core.worker;

import io.linerate.core.balance.AssignedQueue;
import io.linerate.core.balance.Handover;
import io.linerate.core.balance.QueueOwner;
import io.linerate.core.measure.WorkerMeter;
import io.linerate.core.port.DriverPort;
import io.linerate.core.statistics.WorkerLoad;
import java.util.ArrayList;
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
  private final PolledQueues polled;

  /** Those that wait until their packets have left. For the worker's thread. */
  private final List<Handover> leaving = new ArrayList<>();

  private volatile boolean takesQueues = true;

  WorkerQueues(
      int worker,
      int rxBurst,
      WorkerPorts ports,
      WorkerMeter meter,
      Outputs outputs,
      WorkerTasks tasks,
      Commands commands) {
    this.worker = worker;
    this.ports = ports;
    this.meter = meter;
    this.outputs = outputs;
    this.tasks = tasks;
    this.commands = commands;
    polled = new PolledQueues(rxBurst);
  }

  PolledQueues polled() {
    return polled;
  }

  @Override
  public int id() {
    return worker;
  }

  @Override
  public WorkerLoad load() {
    return meter.load();
  }

  @Override
  public Set<DriverPort> ports() {
    return ports.inputs();
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
    polled.attach(new PolledQueue(queue, ports.handler(queue.port())));
  }

  @Override
  public void release(Handover handover) {
    commands.enqueue(() -> leave(handover), () -> handover.fail(STOPPED));
  }

  private void leave(Handover handover) {
    AssignedQueue queue = handover.queue();
    if (!polled.detach(queue)) {
      handover.fail("it brings nothing any more");
      return;
    }
    ports.handler(queue.port()).queueLeaving(new PortView(queue.port()), queue.index());
    meter.busy();
    outputs.drain();
    handover.left(outputs.transmitted(), tasks.takenOver());
    leaving.add(handover);
  }

  @Override
  public void take(Handover handover) {
    commands.enqueue(() -> arrive(handover), () -> handover.fail(STOPPED));
  }

  private void arrive(Handover handover) {
    AssignedQueue queue = handover.queue();
    ports.handler(queue.port()).queueArrived(new PortView(queue.port()), queue.index());
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
    return polled.count() == 0 && leaving.isEmpty();
  }

  /** No queue that is on its way arrives any more. */
  void end() {
    leaving.forEach(handover -> handover.fail(STOPPED));
  }
}
