package io.linerate.core.worker;

import io.linerate.core.memory.Burst;

/**
 * Reads packets of a worker as they come, and leaves them as they are. What it takes of time is
 * taken from the packets: it should read few.
 */
@FunctionalInterface
public interface BurstProbe {
  /** A burst came. On the worker's thread. */
  void onBurst(Burst burst);
}
