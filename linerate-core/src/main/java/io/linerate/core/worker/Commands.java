package io.linerate.core.worker;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** What other threads have a worker do between two bursts. */
final class Commands {
  /**
   * @param otherwise done instead when the worker has ended
   */
  private record Command(Runnable action, Runnable otherwise) {}

  private final ConcurrentLinkedQueue<Command> waiting = new ConcurrentLinkedQueue<>();
  private final WakeUp wakeUp = new WakeUp();
  private boolean isRunning;
  private final Consumer<Throwable> onFailure;
  private boolean isClosed;

  /**
   * @param onFailure told of what one has thrown that was submitted, on the worker's thread
   */
  Commands(Consumer<Throwable> onFailure) {
    this.onFailure = onFailure;
  }

  /** Says whether the worker's thread runs commands, now or as soon as it has begun. */
  synchronized void isRunning(boolean is) {
    isRunning = is;
  }

  /** Does something on the worker's thread, or here and now while the worker does not run. */
  void submit(Runnable action) {
    synchronized (this) {
      if (!isRunning || isClosed) {
        action.run();
        return;
      }
    }
    Runnable guarded = () -> runGuarded(action);
    enqueue(guarded, guarded);
  }

  private void runGuarded(Runnable action) {
    try {
      action.run();
    } catch (Throwable e) { // Whatever it is, the worker goes on.
      onFailure.accept(e);
    }
  }

  /**
   * Does something on the worker's thread once it runs.
   *
   * @param otherwise done instead, by any thread, when the worker has ended
   */
  void enqueue(Runnable action, Runnable otherwise) {
    if (!offer(new Command(action, otherwise))) {
      otherwise.run();
    }
    wake();
  }

  private synchronized boolean offer(Command command) {
    return !isClosed && waiting.add(command);
  }

  /** Ends a sleep of the worker. Any thread. */
  void wake() {
    wakeUp.run();
  }

  WakeUp wakeUp() {
    return wakeUp;
  }

  /** Whether there is nothing to be run. Worker only. */
  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /**
   * Runs what was submitted, and says whether there was anything. What these submit waits for the
   * next time. Worker only.
   */
  boolean run() {
    if (waiting.isEmpty()) {
      return false;
    }
    for (int left = waiting.size(); left > 0; left--) {
      waiting.remove().action.run();
    }
    return true;
  }

  /** Takes no further commands, and runs none that are left. */
  void close() {
    synchronized (this) {
      isClosed = true;
    }
    for (Command command = waiting.poll(); command != null; command = waiting.poll()) {
      command.otherwise.run();
    }
    wakeUp.close();
  }
}
