package io.linerate.graph;

import io.linerate.core.memory.DropCounts;
import io.linerate.core.worker.BurstHandler;
import java.util.Optional;

/** The worker that a replica runs on, with the ports of its engine. */
interface HostWorker {
  /** From now on gives what the port receives to {@code handler}. */
  void receive(String port, BurstHandler handler);

  /**
   * What sends every packet that is left in a burst to a port.
   *
   * @param refused counts what the port refuses, from now on
   */
  BurstHandler transmit(String port, DropCounts refused);

  /** Does something between two bursts: on the worker, or here and now while it does not run. */
  void submit(Runnable action);

  /**
   * Stops the engine, whose run has failed.
   *
   * @param what has failed, and where
   */
  void stop(String what, Throwable why);

  /** Stops the engine, whose run cannot go on, which is no bug: the message is a sentence. */
  void giveUp(Throwable why);

  /** Stops the engine. */
  void stop();

  /** Whether the engine was stopped, by whomever. Any thread. */
  boolean isStopping();

  /** What has failed first in the engine's run, if anything has. Any thread. */
  Optional<Throwable> failure();
}
