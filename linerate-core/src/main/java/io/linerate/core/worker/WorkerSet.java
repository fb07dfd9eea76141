package io.linerate.core.worker;

import io.linerate.core.balance.AssignedQueue;
import io.linerate.core.balance.BalancerThread;
import io.linerate.core.balance.QueueOwner;
import io.linerate.core.balance.QueueTable;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.MovableWork;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.log.FailureLog;
import io.linerate.core.measure.WorkerMeter;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.QueuePlace;
import io.linerate.core.time.EpochClock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The workers of an engine: adds and retires them, and moves queues between them. */
final class WorkerSet {
  private final WorkerContext context;
  private final EngineConfig config;
  private final QueueTable queues;
  private final WorkerThreads threads;

  /**
   * Held while workers are wired, added or retired: none of it sees another half done. Whoever
   * holds it may wait for workers, which never take it.
   */
  private final Object changes = new Object();

  private final List<Consumer<Worker>> wirings = new ArrayList<>(); // Guarded by changes.

  private final List<FailureLog> otherFailures = new CopyOnWriteArrayList<>();
  private final List<DropCounts> droppedTokens = new CopyOnWriteArrayList<>();
  private final List<Supplier<List<MovableWork>>> works = new CopyOnWriteArrayList<>();

  private volatile boolean isClosed; // Set while changes are held.

  /** Whether elements leave checksums to who transmits; guarded by changes. */
  private boolean leavesChecksums;

  private boolean leavesCutting;

  // Guarded by this.
  private final List<Worker> workers = new ArrayList<>();
  private final Set<Worker> retiring = new HashSet<>();
  private final BitSet txQueueNumbers = new BitSet();

  WorkerSet(EngineConfig config, PacketPools pools, EpochClock clock, RunFailures failures) {
    this.config = config;
    threads = new WorkerThreads(config.idle(), failures::add, this::ended);
    queues = new QueueTable(threads::inputsEnded);
    context =
        new WorkerContext(
            config,
            pools,
            clock,
            failures,
            failures::add,
            failure -> {
              failures.add(failure);
              threads.stop(); // Without an output, going on would only lose packets.
            },
            queues::ended);
    for (int i = 0; i < config.workers(); i++) {
      create();
    }
  }

  private synchronized Worker create() {
    int number = txQueueNumbers.nextClearBit(0);
    Worker worker = new Worker(workers.size(), number, context);
    txQueueNumbers.set(number);
    workers.add(worker);
    return worker;
  }

  private synchronized void ended(Worker worker) {
    txQueueNumbers.clear(worker.txQueueNumber());
  }

  WorkerThreads threads() {
    return threads;
  }

  /** Those that are not to end. */
  synchronized List<Worker> workers() {
    return workers.stream().filter(worker -> !retiring.contains(worker)).toList();
  }

  private List<QueueOwner> owners() {
    return workers().stream().map(worker -> (QueueOwner) worker.queues()).toList();
  }

  /** Measures all that there ever were. */
  synchronized List<WorkerMeter> meters() {
    return workers.stream().map(Worker::meter).toList();
  }

  /** All there ever were together. */
  synchronized PacketCounts counts() {
    return workers.stream().map(Worker::counts).reduce(PacketCounts.NONE, PacketCounts::plus);
  }

  /** Another number when packets have come or gone. */
  long activity() {
    PacketCounts all = counts();
    return all.received() + all.made() + all.takenOver() + all.sent();
  }

  /** What handlers have thrown, all workers together. */
  synchronized long exceptions() {
    return failures().mapToLong(FailureLog::count).sum();
  }

  private Stream<FailureLog> failures() {
    return Stream.concat(workers.stream().map(Worker::failures), otherFailures.stream());
  }

  /** See {@link DriverAccess#countDroppedTokens}. */
  void countDroppedTokens(DropCounts dropped) {
    droppedTokens.add(dropped);
  }

  /** What was dropped that is no packet, by reason, all together. */
  Map<String, Long> droppedTokens() {
    Map<String, Long> all = new LinkedHashMap<>();
    for (DropCounts dropped : droppedTokens) {
      dropped.byName().forEach((reason, tokens) -> all.merge(reason, tokens, Long::sum));
    }
    return all;
  }

  /** Handlers of no worker in particular fail, too. */
  void countFailures(FailureLog failures) {
    otherFailures.add(failures);
  }

  /** What failed first at each place, and how often anything did there on all workers. */
  synchronized List<String> exceptionSentences() {
    Map<String, FailureLog.Failures> byPlace = new LinkedHashMap<>();
    failures()
        .flatMap(log -> log.failures().stream())
        .forEach(some ->
            byPlace.merge(
                some.place(),
                some,
                (one, other) ->
                    new FailureLog.Failures(
                        one.place(), one.first(), one.count() + other.count())));
    return byPlace.values().stream()
        .map(some -> some.first() + ", exceptions=" + some.count() + "; see the log")
        .toList();
  }

  List<QueuePlace> places() {
    return queues.places();
  }

  /** There is work that the balancer moves. Before they start. */
  void movable(Supplier<List<MovableWork>> some) {
    works.add(some);
  }

  private List<MovableWork> works() {
    return works.stream().flatMap(some -> some.get().stream()).toList();
  }

  /** Wires all workers, and those that are added later. */
  void wireEach(Consumer<Worker> wiring) {
    synchronized (changes) {
      requireOpen();
      workers().forEach(wiring);
      wirings.add(wiring);
    }
  }

  /** Does something while no worker is added or retired. Any thread but a worker's. */
  <T> T keep(Supplier<T> action) {
    synchronized (changes) {
      requireOpen();
      return action.get();
    }
  }

  /**
   * Ends the workers. None is added, wired or changed afterwards, nor is one at that.
   *
   * @return threads that do not end: then it is not closed
   */
  List<Thread> close() {
    threads.close();
    threads.stop();
    List<Thread> stuck = threads.join();
    if (stuck.isEmpty()) {
      synchronized (changes) {
        isClosed = true;
      }
    }
    return stuck;
  }

  void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException(
          "engine is closed: program=" + config.programName() + "; make another");
    }
  }

  void start() {
    synchronized (changes) {
      queues.distribute(owners());
      leavesChecksums =
          workers().stream().anyMatch(worker -> worker.resources().owner().wantsToLeaveChecksums())
              && workers().stream().allMatch(Worker::finishesChecksums);
      leavesCutting = leavesChecksums && workers().stream().allMatch(Worker::cutsDatagrams);
      workers().forEach(this::prepare);
      threads.startFirst(workers());
      if (config.isBalanced() || !works.isEmpty()) {
        new BalancerThread(
                this::owners, this::works, queues, config.isBalanced(), threads::isStopping)
            .start();
      }
    }
  }

  /** Packets of every port may come to it: graphs hand them from worker to worker. */
  private void prepare(Worker worker) {
    worker.resources().owner().readsFiles(queues.readFiles());
    worker.resources().owner().leavesChecksums(leavesChecksums);
    worker.resources().owner().leavesCutting(leavesCutting);
    boolean mayLackMore = leavesChecksums || queues.bringVlanTags() || queues.bringSuperPackets();
    if (mayLackMore || queues.bringLongPackets()) {
      worker.finishPackets(mayLackMore);
    }
    worker.checkLinkTypes(queues.linkTypes());
  }

  /** Adds a worker that is wired like the others; it has no queues yet. */
  Worker add() {
    synchronized (changes) {
      requireOpen();
      if (wirings.isEmpty()) {
        throw new IllegalStateException(
            "engine cannot wire a worker: workers="
                + workers().size()
                + "; wire workers with Engine.eachWorker, or say how to wire this one");
      }
      return add(worker -> wirings.forEach(wiring -> wiring.accept(worker)));
    }
  }

  Worker add(Consumer<Worker> wiring) {
    synchronized (changes) {
      requireOpen();
      requireRoom();
      requireNotStopping();
      Worker worker = create();
      worker.queues().takesQueues(false);
      try {
        wiring.accept(worker);
        if (threads.hasStarted()) {
          prepare(worker);
          threads.start(worker);
        }
      } catch (Throwable e) {
        forget(worker);
        end(worker, e);
        throw e;
      }
      worker.queues().takesQueues(true);
      return worker;
    }
  }

  private synchronized void requireRoom() {
    int number = txQueueNumbers.nextClearBit(0);
    if (number >= config.mostWorkers()) {
      throw new ConfigException(
          "no transmit queues are left for a worker: workers=%d, maxworkers=%d; set maxworkers=%d"
              .formatted(
                  txQueueNumbers.cardinality(), config.mostWorkers(), config.mostWorkers() + 1));
    }
    if (!config.cpus().isEmpty() && number >= config.cpus().size()) {
      throw new ConfigException(
          "no CPU is left for a worker: cpus=%s, workers=%d; name one more in cpus="
              .formatted(config.cpus(), txQueueNumbers.cardinality()));
    }
  }

  private synchronized void forget(Worker worker) {
    workers.remove(worker);
    txQueueNumbers.clear(worker.txQueueNumber());
  }

  /** Ends what a wiring has made on a worker that will never run. */
  private static void end(Worker worker, Throwable cause) {
    try {
      worker.end();
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
    worker.ended().complete(null);
  }

  private void requireNotStopping() {
    if (threads.isStopping()) {
      throw new IllegalStateException(
          "engine has stopped: workers=" + workers().size() + "; make another");
    }
  }

  /** Moves a worker's queues to the others, then ends it. */
  CompletableFuture<Void> retire(Worker worker) {
    CompletableFuture<Void> moved;
    synchronized (changes) {
      requireMember(worker);
      if (!workers().contains(worker)) {
        return worker.ended();
      }
      worker.tasks().requireUnbound();
      worker.queues().takesQueues(false);
      try {
        moved = queues.moveAll(worker.queues(), owners());
      } catch (ConfigException e) {
        worker.queues().takesQueues(true);
        throw e;
      }
      retiring(worker);
    }
    // A move fails when its queue has ended, and then there is nothing to move.
    return moved
        .exceptionally(failure -> null)
        .thenCompose(nothing -> {
          worker.requestEnd();
          return worker.ended();
        });
  }

  private synchronized void retiring(Worker worker) {
    retiring.add(worker);
  }

  private synchronized void requireMember(Worker worker) {
    requireNotStopping();
    if (!threads.hasStarted() || !workers.contains(worker)) {
      throw new IllegalStateException(
          "worker does not run in this engine: worker=" + worker.id() + "; start the engine first");
    }
  }

  CompletableFuture<Void> move(String portName, int index, Worker target) {
    requireMember(target);
    AssignedQueue queue = queues.find(portName, index);
    return queues.move(queue, target.queues());
  }

  CompletableFuture<Void> spread() {
    requireNotStopping();
    return queues.spread(owners());
  }
}
