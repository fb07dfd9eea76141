package io.linerate.core.worker;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a worker does each round beside its inputs: timers, packets that come from other threads,
 * orders. Always called on the worker's thread, never while a burst is handled.
 */
public interface WorkerTask {
  /** How long a task is left alone that does not say more: 1 ms. */
  long POLL_NS = 1_000_000;

  /** Before the first round. */
  default void begin() {}

  /**
   * A piece of work that does not keep the inputs waiting.
   *
   * @return packets moved and pieces of work done; 0, if nothing was sent either, lets the worker
   *     idle
   */
  int doWork();

  /**
   * Asked by a worker that is about to sleep, each time: for how many ns there is nothing to do,
   * unless a packet comes or {@code wake} is called; 0 if there is something already.
   *
   * @param wake ends the sleep, for any thread
   */
  default long restNs(Runnable wake) {
    return POLL_NS;
  }

  /**
   * What says whether the packets that this task has handed to other workers until now have been
   * taken up there, and cannot be passed any more by later ones that come by way of another worker:
   * asked for when a receive queue leaves this worker.
   */
  default BooleanSupplier handedOver() {
    return () -> true;
  }

  /**
   * For how many ns its rounds, or handlers of its runtime, have waited for other workers until
   * now: the balancer counts the worker as idle then. Any thread.
   */
  default long waitedNs() {
    return 0;
  }

  /**
   * Why other workers cannot do without this one, in a few words such as {@code queue=NAME is
   * emptied here}; null if they can: then it may be retired. Any thread.
   */
  default @Nullable String bond() {
    return null;
  }

  /** Whether there may be more to do when no input is left: if so, the worker does not end. */
  default boolean isActive() {
    return false;
  }

  /**
   * After the last round: sends or drops every packet that it still has. What it sends is still
   * transmitted. What it throws fails the run, and the worker goes on to its end.
   */
  default void end() {}
}
