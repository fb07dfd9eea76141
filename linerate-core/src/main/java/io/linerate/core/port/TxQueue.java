package io.linerate.core.port;

import io.linerate.core.memory.Burst;

/** A transmit queue of a port: one thread's own. */
public interface TxQueue {
  /**
   * Offers the packets in slots {@code [from, burst.size())}, all of them live.
   *
   * @return how many were taken, {@code n}: {@code [from, from + n)} belong to the port from now
   *     on, the rest is still the caller's, who tries again or drops it. The slots are left as they
   *     are.
   * @throws PortException when the device is dead; nothing was taken then, as after whatever else
   *     is thrown: a queue that fails midway returns what it has taken, and throws when it is
   *     called again
   */
  int send(Burst burst, int from);

  /** Passes on what the port has buffered, such as bytes for a file. */
  default void flush() {}

  /**
   * Packets taken that have not left yet, so that others sent by another queue of the port might
   * pass them; 0 when the port does not know. They leave in the order in which they were taken.
   */
  default int waiting() {
    return 0;
  }
}
