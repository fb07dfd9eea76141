package io.linerate.core.port;

import io.linerate.core.driver.PacketPool;
import org.jspecify.annotations.Nullable;

/**
 * A port as its driver makes it and workers use it: with queues, and a beginning and an end.
 * Applications are given a {@link Port}, from which nothing leads here.
 */
public interface DriverPort extends Port, AutoCloseable {
  RxQueue rxQueue(int index);

  TxQueue txQueue(int index);

  /**
   * The pool whose packets this port receives into and transmits without a copy, for programs that
   * make packets. Null when the port has none, or one without room.
   */
  default @Nullable PacketPool pool() {
    return null;
  }

  /** Whether {@link #isLinkUp} may ever be false. */
  default boolean hasLink() {
    return false;
  }

  /** Lets packets come. Called once, before the workers run. */
  default void start() {}

  /** Called on each thread that will use the port's queues, before it does. */
  default void attachThread() {}

  /** Called on each thread that used the port's queues, after it did. */
  default void detachThread() {}

  /**
   * Stops the port, completes its files and frees every buffer that it holds. Called after the
   * workers have ended.
   *
   * @throws PortException if something could not be completed
   */
  @Override
  void close();
}
