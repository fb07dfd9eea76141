package io.linerate.apps.generate;

import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;

/**
 * The side of the generator that a worker receives from. Each worker has its own, so that nobody
 * moves its queue to another worker: the queue sends through its worker's output.
 */
record TrafficPort(TrafficQueue queue) implements DriverPort {
  @Override
  public PortProperties properties() {
    return new PortProperties("generator", 1, 0);
  }

  @Override
  public RxQueue rxQueue(int index) {
    if (index != 0) {
      throw new IndexOutOfBoundsException("a generator has one receive queue: index=" + index);
    }
    return queue;
  }

  @Override
  public TxQueue txQueue(int index) {
    throw new IndexOutOfBoundsException("a generator has no transmit queue: index=" + index);
  }

  @Override
  public PortStatistics statistics() {
    return PortStatistics.NONE;
  }

  @Override
  public void close() {}
}
