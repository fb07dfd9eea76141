package io.linerate.graph;

import io.linerate.core.worker.WorkerTask;

/** What an element does once in each round of its worker. */
@FunctionalInterface
public interface Round {
  /**
   * A piece of work: sends what is due, for one.
   *
   * @return packets moved; 0 lets the worker idle
   * @throws Exception is logged; the element goes on
   */
  int run() throws Exception;

  /** Whether it will do more though no packet comes from a port: the worker does not end before. */
  default boolean isActive() {
    return false;
  }

  /**
   * Asked when the worker is about to sleep, each time: for how many ns there is nothing to do,
   * unless a burst comes or {@code wake} is called; 0 if there is something already. 1 ms where it
   * is not overridden.
   *
   * @param wake ends the sleep, for any thread
   */
  default long restNs(Runnable wake) {
    return WorkerTask.POLL_NS;
  }
}
