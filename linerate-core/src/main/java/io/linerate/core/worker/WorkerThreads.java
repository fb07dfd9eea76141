package io.linerate.core.worker;

import io.linerate.core.config.Idle;
import io.linerate.core.measure.WorkerAllocations;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The threads of an engine's workers, on which these run until there is nothing more to do. */
final class WorkerThreads {
  /** A century: no sum with it is too large for a number. */
  private static final long MAX_WAIT_MS = TimeUnit.DAYS.toMillis(36_500);

  /** How long each thread is waited for. */
  static final long JOIN_MS = 10_000;

  private enum Phase {
    RUNNING,
    /** No input brings packets any more: tasks may still have some. */
    INPUTS_ENDED,
    STOPPING
  }

  private final Idle idle;
  private final Consumer<Throwable> onFailure;
  private final Consumer<Worker> onEnd;
  private final WorkerAllocations allocations = new WorkerAllocations();

  // Guarded by this.
  private final Map<Worker, Thread> threads = new LinkedHashMap<>();
  private int running;
  private boolean hasStarted;
  private boolean isClosed;
  private long startNs;
  private long endNs;

  private volatile Phase phase = Phase.RUNNING;

  /**
   * @param onFailure told of an error of a worker, on its thread: it ends
   * @param onEnd told of a worker that has ended, on its thread
   */
  WorkerThreads(Idle idle, Consumer<Throwable> onFailure, Consumer<Worker> onEnd) {
    this.idle = idle;
    this.onFailure = onFailure;
    this.onEnd = onEnd;
  }

  /** What the threads have allocated. */
  WorkerAllocations allocations() {
    return allocations;
  }

  synchronized boolean hasStarted() {
    return hasStarted;
  }

  /** Starts the first workers. */
  synchronized void startFirst(List<Worker> workers) {
    requireOpen();
    hasStarted = true;
    startNs = System.nanoTime();
    List<Thread> theirs = workers.stream().map(this::thread).toList();
    for (int i = 0; i < theirs.size(); i++) {
      start(workers.get(i), theirs.get(i));
    }
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException(
          "engine closes: workers=%d; make another".formatted(threads.size()));
    }
  }

  synchronized void start(Worker worker) {
    requireOpen();
    start(worker, thread(worker));
  }

  /** A thread that the worker belongs to, not yet started. */
  private Thread thread(Worker worker) {
    Thread thread = Thread.ofPlatform().name("worker-" + worker.id()).unstarted(() -> run(worker));
    worker.belongTo(thread);
    return thread;
  }

  private void start(Worker worker, Thread thread) {
    allocations.begins(worker.id(), thread);
    try {
      thread.start();
    } catch (Throwable e) { // The machine has no room for it: then there is none to wait for.
      worker.hasNotStarted();
      throw e;
    }
    threads.put(worker, thread);
    running++;
  }

  private void run(Worker worker) {
    IdleStrategy strategy = IdleStrategy.of(idle, worker::sleep);
    try {
      worker.begin();
      while (!worker.isToEnd() && (phase == Phase.RUNNING || mayBring(worker))) {
        strategy.idle(worker.doWork());
      }
    } catch (Throwable e) {
      onFailure.accept(e);
      stop(); // With a broken worker, going on would only lose packets.
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
    return phase == Phase.INPUTS_ENDED && worker.tasks().isActive();
  }

  private void ended(Worker worker) {
    allocations.ends(worker.id());
    onEnd.accept(worker);
    synchronized (this) {
      running--;
      endNs = System.nanoTime();
      notifyAll();
    }
    worker.ended().complete(null);
  }

  /** Workers end whose tasks have nothing more to do. Any thread. */
  void inputsEnded() {
    synchronized (this) {
      if (phase == Phase.RUNNING) {
        phase = Phase.INPUTS_ENDED;
      }
    }
    wake();
  }

  /** All workers end. Any thread. */
  void stop() {
    synchronized (this) {
      phase = Phase.STOPPING;
    }
    wake();
  }

  private void wake() {
    List<Worker> sleeping;
    synchronized (this) {
      sleeping = List.copyOf(threads.keySet());
    }
    sleeping.forEach(Worker::wake);
  }

  boolean isStopping() {
    return phase == Phase.STOPPING;
  }

  synchronized boolean isWorker(Thread thread) {
    return threads.containsValue(thread);
  }

  /** Whether all workers have ended, within the time. */
  synchronized boolean awaitEnd(long timeoutMs) throws InterruptedException {
    long mostNs = TimeUnit.MILLISECONDS.toNanos(Math.min(timeoutMs, MAX_WAIT_MS));
    long deadlineNs = System.nanoTime() + mostNs;
    while (!hasStarted || running > 0) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime() + 999_999);
      if (leftMs <= 0) {
        return false;
      }
      wait(leftMs);
    }
    return true;
  }

  /** Starts none any more. */
  synchronized void close() {
    isClosed = true;
  }

  /** Waits for the threads, also when interrupted; returns those that do not end. */
  List<Thread> join() {
    List<Thread> started;
    synchronized (this) {
      started = List.copyOf(threads.values());
    }
    boolean isInterrupted = false;
    for (Thread thread : started) {
      isInterrupted |= join(thread);
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    return started.stream().filter(Thread::isAlive).toList();
  }

  /** Waits for a thread; returns whether this one was interrupted. */
  private static boolean join(Thread thread) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(JOIN_MS);
    boolean isInterrupted = false;
    while (true) {
      try {
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        return isInterrupted;
      } catch (InterruptedException e) {
        isInterrupted = true; // The ports cannot be closed while workers use them.
      }
    }
  }

  /** From the start until the last worker ended, or until now. */
  synchronized long durationNs() {
    if (!hasStarted) {
      return 0;
    }
    return (running == 0 ? endNs : System.nanoTime()) - startNs;
  }
}
