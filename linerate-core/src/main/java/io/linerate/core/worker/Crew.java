package io.linerate.core.worker;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.time.EpochClock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The workers of an engine and their threads: starts and ends them, adds and retires them, and
 * moves queues between them.
 */
final class Crew {
  private static final long JOIN_MS = 10_000;

  private static final int RUNNING = 0;

  /** No input brings packets any more: tasks may still have some. */
  private static final int INPUTS_ENDED = 1;

  private static final int STOPPING = 2;

  private final EngineConfig config;
  private final PacketPools pools;
  private final EpochClock clock;
  private final Consumer<Throwable> onFailure;
  private final WorkerAllocations allocations = new WorkerAllocations();
  private final QueueTable queues = new QueueTable(this::inputsEnded);

  // Guarded by this.
  private final List<Worker> workers = new ArrayList<>();
  private final Map<Worker, Thread> threads = new LinkedHashMap<>();
  private final List<Consumer<Worker>> wirings = new ArrayList<>();
  private final BitSet lanes = new BitSet();
  private int running;
  private boolean hasStarted;
  private long startNs;
  private long endNs;

  /** {@link #RUNNING}, {@link #INPUTS_ENDED} or {@link #STOPPING}. */
  private volatile int phase = RUNNING;

  Crew(EngineConfig config, PacketPools pools, EpochClock clock, Consumer<Throwable> onFailure) {
    this.config = config;
    this.pools = pools;
    this.clock = clock;
    this.onFailure = onFailure;
    for (int i = 0; i < config.workers(); i++) {
      hire();
    }
  }

  private synchronized Worker hire() {
    int lane = lanes.nextClearBit(0);
    Worker worker =
        new Worker(
            workers.size(),
            lane,
            config,
            pools,
            clock,
            onFailure::accept,
            this::failAndStop,
            queues::ended);
    lanes.set(lane);
    workers.add(worker);
    running++;
    return worker;
  }

  /** The workers that take queues. */
  synchronized List<Worker> workers() {
    return workers.stream().filter(worker -> !worker.isRetiring()).toList();
  }

  /** Those that have ended too. */
  synchronized List<Worker> everyWorker() {
    return List.copyOf(workers);
  }

  /** All there ever were together. */
  synchronized PacketCounts counts() {
    return workers.stream().map(Worker::counts).reduce(PacketCounts.NONE, PacketCounts::plus);
  }

  /** What handlers have thrown, all workers together. */
  synchronized long exceptions() {
    return workers.stream().mapToLong(worker -> worker.failures().count()).sum();
  }

  /** What failed first on the first worker where anything did. */
  synchronized Optional<String> firstException() {
    return workers.stream().flatMap(worker -> worker.failures().first().stream()).findFirst();
  }

  synchronized boolean isWorker(Thread thread) {
    return threads.containsValue(thread);
  }

  /** What the workers' threads have allocated. */
  WorkerAllocations allocations() {
    return allocations;
  }

  List<QueuePlace> places() {
    return queues.places();
  }

  /** Wires all workers, and those that are added later. */
  synchronized void wireEach(Consumer<Worker> wiring) {
    wirings.add(wiring);
    workers().forEach(wiring);
  }

  synchronized boolean hasStarted() {
    return hasStarted;
  }

  synchronized void start() {
    hasStarted = true;
    startNs = System.nanoTime();
    queues.distribute(workers);
    workers.forEach(this::startThread);
    if (config.queues().isBalanced()) {
      new BalancerThread(this, queues).start();
    }
  }

  private void startThread(Worker worker) {
    Thread thread = Thread.ofPlatform().name("worker-" + worker.id()).unstarted(() -> work(worker));
    threads.put(worker, thread);
    allocations.begins(worker.id(), thread);
    thread.start();
  }

  private void work(Worker worker) {
    IdleStrategy idle = IdleStrategy.of(config.idle(), worker::sleep);
    try {
      worker.begin();
      while (!worker.isDismissed() && (phase == RUNNING || mayBring(worker))) {
        idle.idle(worker.doWork());
      }
    } catch (Throwable e) {
      failAndStop(e);
    }
    try {
      worker.end();
    } catch (Throwable e) {
      onFailure.accept(e);
    } finally {
      ended(worker);
    }
  }

  /**
   * Whether it may still have packets when inputs bring none: its tasks say, some of which wait for
   * the end of other workers.
   */
  private boolean mayBring(Worker worker) {
    return phase == INPUTS_ENDED && worker.hasActiveTask();
  }

  private void ended(Worker worker) {
    allocations.ends(worker.id());
    synchronized (this) {
      lanes.clear(worker.lane());
      running--;
      endNs = System.nanoTime();
      notifyAll();
    }
    worker.ended().complete(null);
  }

  /** Without a way out, or with a broken worker, going on would only lose packets. */
  private void failAndStop(Throwable failure) {
    onFailure.accept(failure);
    stop();
  }

  private void inputsEnded() {
    synchronized (this) {
      if (phase == RUNNING) {
        phase = INPUTS_ENDED;
      }
    }
    workers().forEach(Worker::wake);
  }

  void stop() {
    synchronized (this) {
      phase = STOPPING;
    }
    workers().forEach(Worker::wake);
  }

  boolean isStopping() {
    return phase == STOPPING;
  }

  /** Whether all workers have ended, within the time. */
  synchronized boolean awaitEnd(long timeoutMs) throws InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    while (running > 0) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime() + 999_999);
      if (leftMs <= 0) {
        return false;
      }
      wait(leftMs);
    }
    return true;
  }

  /** Waits for the threads; returns those that do not end. */
  List<Thread> join() {
    List<Thread> started;
    synchronized (this) {
      started = List.copyOf(threads.values());
    }
    for (Thread thread : started) {
      try {
        thread.join(JOIN_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return started.stream().filter(Thread::isAlive).toList();
  }

  /** From the start until the last worker ended, or until now. */
  synchronized long durationNs() {
    if (!hasStarted) {
      return 0;
    }
    return (running == 0 ? endNs : System.nanoTime()) - startNs;
  }

  /** Adds a worker that is wired like the others; it has no queues yet. */
  synchronized Worker add() {
    if (wirings.isEmpty()) {
      throw new IllegalStateException(
          "engine cannot wire a worker: workers="
              + workers.size()
              + "; wire workers with Engine.eachWorker, or say how to wire this one");
    }
    return add(worker -> wirings.forEach(wiring -> wiring.accept(worker)));
  }

  synchronized Worker add(Consumer<Worker> wiring) {
    int lane = lanes.nextClearBit(0);
    if (lane >= config.mostWorkers()) {
      throw new ConfigException(
          "no transmit queues are left for a worker: workers=%d, maxworkers=%d; set maxworkers=%d"
              .formatted(lanes.cardinality(), config.mostWorkers(), config.mostWorkers() + 1));
    }
    if (!config.cpus().isEmpty() && lane >= config.cpus().size()) {
      throw new ConfigException(
          "no CPU is left for a worker: cpus=%s, workers=%d; name one more in cpus="
              .formatted(config.cpus(), lanes.cardinality()));
    }
    requireNotStopping();
    Worker worker = hire();
    try {
      wiring.accept(worker);
    } catch (RuntimeException e) {
      dismissUnstarted(worker);
      throw e;
    }
    if (hasStarted) {
      startThread(worker);
    }
    return worker;
  }

  private void dismissUnstarted(Worker worker) {
    workers.remove(worker);
    lanes.clear(worker.lane());
    running--;
  }

  private void requireNotStopping() {
    if (phase == STOPPING) {
      throw new IllegalStateException("engine has stopped: workers=" + workers.size());
    }
  }

  /** Moves a worker's queues to the others, then ends it. */
  CompletableFuture<Void> retire(Worker worker) {
    List<CompletableFuture<Void>> moves = new ArrayList<>();
    synchronized (this) {
      requireMember(worker);
      if (worker.isRetiring()) {
        return worker.ended();
      }
      worker.requireUnbound();
      worker.retire();
      try {
        List<Input> leaving = queues.of(worker);
        leaving.forEach(this::heir); // Throws before anything has moved.
        leaving.forEach(input -> moves.add(queues.move(input, heir(input))));
      } catch (ConfigException e) {
        worker.unretire();
        throw e;
      }
    }
    // A move fails when its queue has ended, and then there is nothing to move.
    return CompletableFuture.allOf(moves.toArray(new CompletableFuture<?>[0]))
        .exceptionally(failure -> null)
        .thenCompose(nothing -> {
          worker.dismiss();
          return worker.ended();
        });
  }

  /** The worker that takes a queue over: that with the fewest of those that can. */
  private Worker heir(Input input) {
    return workers().stream()
        .filter(worker -> worker.canTake(input.port))
        .min(Comparator.comparingInt(queues::count))
        .orElseThrow(() ->
            new ConfigException(
                "no other worker has a handler for the queue: %s; add a worker first"
                    .formatted(input)));
  }

  private void requireMember(Worker worker) {
    requireNotStopping();
    if (!hasStarted || !workers.contains(worker)) {
      throw new IllegalStateException(
          "worker does not run in this engine: worker=" + worker.id() + "; start the engine first");
    }
  }

  synchronized CompletableFuture<Void> move(String portName, int queue, Worker target) {
    requireMember(target);
    return queues.move(queues.find(portName, queue), target);
  }

  /** Moves queues until no worker has more than one more than another that could have it. */
  synchronized CompletableFuture<Void> spread() {
    requireNotStopping();
    List<CompletableFuture<Void>> moves = new ArrayList<>();
    for (Input input : queues.all()) {
      Worker target = heir(input);
      if (queues.count(input.owner) > queues.count(target) + 1) {
        moves.add(queues.move(input, target));
      }
    }
    return CompletableFuture.allOf(moves.toArray(new CompletableFuture<?>[0]));
  }
}
