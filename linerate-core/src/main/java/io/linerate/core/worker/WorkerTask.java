package io.linerate.core.worker;

/**
 * What a worker does each round beside its inputs: timers, packets that come from other threads,
 * orders. Always called on the worker's thread, never while a burst is handled.
 */
public interface WorkerTask {
  /** Before the first round. */
  default void begin() {}

  /**
   * A piece of work that does not keep the inputs waiting.
   *
   * @return packets moved and pieces of work done; 0 lets the worker idle
   */
  int doWork();

  /** Whether there may be more to do when no input is left: if so, the worker does not end. */
  default boolean isActive() {
    return false;
  }

  /**
   * After the last round: sends or drops every packet that it still has. What it sends is still
   * transmitted.
   */
  default void end() {}
}
