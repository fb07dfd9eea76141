package io.linerate.core.port;

import io.linerate.core.memory.PacketPool;
import org.jspecify.annotations.Nullable;

/** A place where packets enter and leave the program: a device, a file, a ring. */
public interface Port extends AutoCloseable {
  /** Name in messages and statistics, unique in its engine. */
  String name();

  PortAddress address();

  /**
   * Receive queues that there are: as many as asked for, or fewer if the port cannot have as many.
   */
  int rxQueues();

  /** Transmit queues that there are. */
  int txQueues();

  RxQueue rxQueue(int index);

  TxQueue txQueue(int index);

  /**
   * The pool whose packets this port receives into and transmits without a copy, for programs that
   * make packets. Null when the port has none, or one without room.
   */
  default @Nullable PacketPool pool() {
    return null;
  }

  /**
   * How the device spreads packets over the receive queues. Null when it has one queue, or other
   * ways.
   */
  default @Nullable FlowSteering steering() {
    return null;
  }

  /** CPU socket (NUMA node) of the device, or -1 if it has none. */
  default int socket() {
    return -1;
  }

  /** Lets packets come. Called once, before the workers run. */
  default void start() {}

  /** Called on each thread that will use the port's queues, before it does. */
  default void attachThread() {}

  /** Called on each thread that used the port's queues, after it did. */
  default void detachThread() {}

  /** Readable from any thread, at any time until the port is closed. */
  PortStatistics statistics();

  /**
   * Stops the port, completes its files and sends home every buffer that it holds. Called after the
   * workers have ended.
   *
   * @throws PortException if something could not be completed
   */
  @Override
  void close();
}
