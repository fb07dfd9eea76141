package io.linerate.core.balance;

import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.DriverPort;
import io.linerate.core.statistics.QueuePlace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The receive queues of an engine and their workers. Safe for use by several threads. */
public final class QueueTable {
  private final List<AssignedQueue> queues = new ArrayList<>();
  private final Runnable onAllEnded;

  /**
   * @param onAllEnded called when no queue brings anything any more, on any thread
   */
  public QueueTable(Runnable onAllEnded) {
    this.onAllEnded = onAllEnded;
  }

  /**
   * Gives each port's queues to the workers that have a handler for it: queue q to worker number q
   * of them, modulo their number, so that the queues of one number of several ports meet at one
   * worker.
   */
  public synchronized void distribute(List<QueueOwner> workers) {
    Set<DriverPort> ports = new LinkedHashSet<>();
    workers.forEach(worker -> ports.addAll(worker.ports()));
    for (DriverPort port : ports) {
      List<QueueOwner> able = workers.stream().filter(worker -> worker.canTake(port)).toList();
      for (int index = 0; index < port.rxQueues(); index++) {
        QueueOwner owner = able.get(index % able.size());
        AssignedQueue queue = new AssignedQueue(port, index, owner);
        queues.add(queue);
        owner.attach(queue);
      }
    }
    if (queues.isEmpty()) {
      onAllEnded.run();
    }
  }

  /** Whether packets of one lie in a mapped file. */
  public synchronized boolean readFiles() {
    return queues.stream().anyMatch(queue -> queue.queue().isMappedFile());
  }

  /** Whether one may bring packets that are longer than what network interfaces transmit. */
  public synchronized boolean bringLongPackets() {
    return queues.stream().anyMatch(queue -> queue.queue().bringsLongPackets());
  }

  /** Whether one may bring packets that stand for several. */
  public synchronized boolean bringSuperPackets() {
    return queues.stream().anyMatch(queue -> queue.queue().bringsSuperPackets());
  }

  /** What the packets may begin with that they bring. */
  public synchronized Set<LinkType> linkTypes() {
    return queues.stream()
        .flatMap(queue -> queue.port().linkTypes().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether VLAN tags may stand beside what one brings. */
  public synchronized boolean bringVlanTags() {
    return queues.stream().anyMatch(queue -> queue.queue().bringsVlanTags());
  }

  /** A queue that brings nothing any more. The program ends with the last of them. */
  public void ended(AssignedQueue queue) {
    boolean isLast;
    synchronized (this) {
      queues.remove(queue);
      isLast = queues.isEmpty();
    }
    if (isLast) {
      onAllEnded.run();
    }
  }

  /** Where each queue is, or is on its way to. */
  public synchronized List<QueuePlace> places() {
    return queues.stream()
        .map(queue ->
            new QueuePlace(queue.port().name(), queue.index(), queue.owner.id(), queue.packets()))
        .toList();
  }

  /** The queues that a worker has or is about to get. */
  synchronized List<AssignedQueue> of(QueueOwner worker) {
    return queues.stream().filter(queue -> isOwner(worker, queue)).toList();
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isOwner(QueueOwner worker, AssignedQueue queue) {
    return queue.owner == worker;
  }

  /**
   * A queue by its port and number.
   *
   * @throws ConfigException if there is no such queue, or not any more
   */
  public synchronized AssignedQueue find(String portName, int index) {
    return queues.stream()
        .filter(queue -> queue.port().name().equals(portName) && queue.index() == index)
        .findFirst()
        .orElseThrow(() ->
            new ConfigException(
                "no such queue: port=%s, queue=%d; there are %s"
                    .formatted(portName, index, queues)));
  }

  /**
   * Starts to move a queue, when the moves that were ordered before are done. See {@link Handover}.
   *
   * @throws ConfigException if the worker has no handler for its port
   */
  @SuppressWarnings("FutureReturnValueIgnored") // What follows a move tells its own future.
  public CompletableFuture<Void> move(AssignedQueue queue, QueueOwner target) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    CompletableFuture<Void> before;
    QueueOwner source;
    synchronized (this) {
      if (!target.canTake(queue.port())) {
        throw new ConfigException(
            "worker cannot take the queue: %s, worker=%d; it retires, or has no handler for the port"
                .formatted(queue, target.id()));
      }
      if (isOwner(target, queue)) {
        return queue.moved;
      }
      source = queue.owner;
      before = queue.moved;
      queue.owner = target;
      queue.moved = done;
    }
    Handover handover = new Handover(queue, target, done);
    before.whenComplete((nothing, failure) -> {
      if (failure == null) {
        source.release(handover);
      } else {
        handover.fail("an earlier move failed");
      }
    });
    return done;
  }

  /**
   * Starts to move all queues of a worker to others.
   *
   * @param workers all that there are; some may take no queues any more
   * @throws ConfigException if one of the queues has no other worker to go to; nothing moves then
   */
  public synchronized CompletableFuture<Void> moveAll(
      QueueOwner leaving, List<QueueOwner> workers) {
    List<AssignedQueue> moving = of(leaving);
    moving.forEach(queue -> target(queue, workers));
    return all(moving.stream().map(queue -> move(queue, target(queue, workers))));
  }

  /** Moves queues until no worker has more than one more than another that could have it. */
  public synchronized CompletableFuture<Void> spread(List<QueueOwner> workers) {
    List<CompletableFuture<Void>> moves = new ArrayList<>();
    for (AssignedQueue queue : queues) {
      QueueOwner target = target(queue, workers);
      if (of(queue.owner).size() > of(target).size() + 1) {
        moves.add(move(queue, target));
      }
    }
    return all(moves.stream());
  }

  /** That with the fewest queues of the workers that can take a queue. */
  private QueueOwner target(AssignedQueue queue, List<QueueOwner> workers) {
    return workers.stream()
        .filter(worker -> worker.canTake(queue.port()))
        .min(Comparator.comparingInt(worker -> of(worker).size()))
        .orElseThrow(() ->
            new ConfigException(
                "no other worker has a handler for the queue: %s; add a worker first"
                    .formatted(queue)));
  }

  private static CompletableFuture<Void> all(Stream<CompletableFuture<Void>> moves) {
    return CompletableFuture.allOf(moves.toArray(CompletableFuture<?>[]::new));
  }
}
