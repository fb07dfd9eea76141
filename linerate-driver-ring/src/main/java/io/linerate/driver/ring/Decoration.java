package io.linerate.driver.ring;

import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;

/** What a {@link DecoratedPort} adds to the port that it stands before. */
interface Decoration extends AutoCloseable {
  /** Stands before a receive queue. */
  RxQueue receiving(RxQueue inner, int queue);

  /** Stands before a transmit queue. */
  TxQueue sending(TxQueue inner, int queue);

  default PortStatistics statistics(PortStatistics inner) {
    return inner;
  }

  /** Gives back what it holds. */
  @Override
  default void close() {}
}
