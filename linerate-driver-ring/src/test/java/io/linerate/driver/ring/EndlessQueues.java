package io.linerate.driver.ring;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.core.worker.Engine;
import java.util.Arrays;

/** A port some of whose queues bring empty packets without end. */
final class EndlessQueues implements DriverPort {
  private final BufferPool pool;
  private final int queues;
  private final int[] busy;

  EndlessQueues(Engine engine, int queues, int... busy) {
    pool = engine.drivers().pools().create("endless", 1_024, 0, 64);
    this.queues = queues;
    this.busy = busy;
  }

  @Override
  public PortProperties properties() {
    return new PortProperties("endless", queues, 0);
  }

  @Override
  public RxQueue rxQueue(int index) {
    return Arrays.stream(busy).anyMatch(queue -> queue == index) ? this::receive : burst -> 0;
  }

  private int receive(MbufArray packets) {
    return pool.allocate(packets, 8) ? 8 : 0;
  }

  @Override
  public TxQueue txQueue(int index) {
    throw new IndexOutOfBoundsException("no transmit queue: index=" + index);
  }

  @Override
  public PortStatistics statistics() {
    return PortStatistics.NONE;
  }

  @Override
  public void close() {}
}
