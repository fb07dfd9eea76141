package io.linerate.graph;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.worker.BurstHandler;
import java.util.function.Consumer;

/** The ports of an engine, as one worker reaches them. */
interface Doors {
  /** From now on gives what the port receives to {@code handler}, which throws nothing. */
  void receive(String port, BurstHandler handler);

  /** The worker's thread runs from now on. */
  default void begin() {}

  /**
   * The way out to a port.
   *
   * @param whole what the port refuses is counted here, too
   */
  Door transmit(String port, DropCounts whole);

  /**
   * A way out.
   *
   * @param output sends whatever is left in a burst
   * @param refused packets that the port has refused since it was opened
   */
  record Door(Consumer<Burst> output, DropCounts refused) {}
}
