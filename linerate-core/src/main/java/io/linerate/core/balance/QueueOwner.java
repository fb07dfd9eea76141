package io.linerate.core.balance;

import io.linerate.core.port.DriverPort;
import io.linerate.core.statistics.WorkerLoad;
import java.util.Set;

/** A worker, as it has receive queues, gives them away and takes others'. Any thread. */
public interface QueueOwner {
  /** Number of the worker. */
  int id();

  /** What the worker has done with its time until now: when it waits for others, it is idle. */
  WorkerLoad load();

  /** The ports that it has handlers for. */
  Set<DriverPort> ports();

  /** Whether it takes what others have: not while it is wired, and when it is to end. */
  boolean takesMore();

  /** Whether it takes queues of the port. */
  boolean canTake(DriverPort port);

  /** Polls a queue from now on. Before the worker runs, or on its thread. */
  void attach(AssignedQueue queue);

  /** Gives a queue away. */
  void release(Handover handover);

  /** Takes a queue whose packets have all left the worker that had it. */
  void take(Handover handover);
}
