package io.linerate.core.worker;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.DriverPort;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The receive queues of an engine and their workers. Safe for use by several threads. */
final class QueueTable {
  private final List<Input> inputs = new ArrayList<>();
  private final Runnable onAllEnded;

  QueueTable(Runnable onAllEnded) {
    this.onAllEnded = onAllEnded;
  }

  /**
   * Gives each port's queues to the workers that have a handler for it: queue q to worker number q
   * of them, modulo their number, so that the queues of one number of several ports meet at one
   * worker.
   */
  synchronized void distribute(List<Worker> workers) {
    Set<DriverPort> ports = new LinkedHashSet<>();
    workers.forEach(worker -> ports.addAll(worker.inputPorts()));
    for (DriverPort port : ports) {
      List<Worker> able = workers.stream().filter(worker -> worker.canTake(port)).toList();
      for (int queue = 0; queue < port.rxQueues(); queue++) {
        Worker owner = able.get(queue % able.size());
        Input input = new Input(port, queue, owner);
        inputs.add(input);
        owner.attach(input);
      }
    }
    if (inputs.isEmpty()) {
      onAllEnded.run();
    }
  }

  /** A queue that brings nothing any more. The program ends with the last of them. */
  void ended(Input input) {
    boolean isLast;
    synchronized (this) {
      input.hasEnded = true;
      inputs.remove(input);
      isLast = inputs.isEmpty();
    }
    if (isLast) {
      onAllEnded.run();
    }
  }

  /** The queues that bring packets, in the order in which they were attached. */
  synchronized List<Input> all() {
    return new ArrayList<>(inputs);
  }

  /** Where each queue is, or is on its way to. */
  synchronized List<QueuePlace> places() {
    return inputs.stream()
        .map(
            input -> new QueuePlace(input.portName, input.index, input.owner.id(), input.packets()))
        .toList();
  }

  /** The queues that a worker has or is about to get. */
  synchronized List<Input> of(Worker worker) {
    return inputs.stream().filter(input -> isOwner(worker, input)).toList();
  }

  synchronized int count(Worker worker) {
    return (int) inputs.stream().filter(input -> isOwner(worker, input)).count();
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isOwner(Worker worker, Input input) {
    return input.owner == worker;
  }

  /**
   * @throws ConfigException if there is no such queue, or not any more
   */
  synchronized Input find(String portName, int queue) {
    return inputs.stream()
        .filter(input -> input.portName.equals(portName) && input.index == queue)
        .findFirst()
        .orElseThrow(() ->
            new ConfigException(
                "no such queue: port=%s, queue=%d; there are %s"
                    .formatted(portName, queue, inputs)));
  }

  /**
   * Starts to move a queue, when the moves that were ordered before are done. See {@link Handover}.
   *
   * @throws ConfigException if the worker has no handler for its port
   */
  @SuppressWarnings("FutureReturnValueIgnored") // What follows a move tells its own future.
  CompletableFuture<Void> move(Input input, Worker target) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    CompletableFuture<Void> before;
    Worker source;
    synchronized (this) {
      if (!target.canTake(input.port)) {
        throw new ConfigException(
            "worker cannot take the queue: %s, worker=%d; it retires, or has no handler for the port"
                .formatted(input, target.id()));
      }
      if (isOwner(target, input)) {
        return input.moved;
      }
      source = input.owner;
      before = input.moved;
      input.owner = target;
      input.moved = done;
    }
    Handover handover = new Handover(input, target, done);
    before.whenComplete((nothing, failure) -> {
      if (failure == null) {
        source.release(handover);
      } else {
        handover.fail("an earlier move failed");
      }
    });
    return done;
  }
}
