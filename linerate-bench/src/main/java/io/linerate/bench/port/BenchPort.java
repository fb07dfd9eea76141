package io.linerate.bench.port;

import io.linerate.core.driver.PacketPool;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortException;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import java.util.List;

/**
 * The port that the harness speaks to: queues are those of the inner port, nothing stands in the
 * packets' way.
 */
final class BenchPort implements DriverPort {
  private final PortRequest request;
  private final DriverPort inner;
  private final boolean isSink;
  private final int frameBytes;
  private final List<DriverPort> sinks;

  /**
   * @param isSink whether it only transmits
   * @param frameBytes length of the frames to write into the buffers; 0: leave them
   * @param sinks those of the program, which may become more until it starts
   */
  BenchPort(
      PortRequest request,
      DriverPort inner,
      boolean isSink,
      int frameBytes,
      List<DriverPort> sinks) {
    this.request = request;
    this.inner = inner;
    this.isSink = isSink;
    this.frameBytes = frameBytes;
    this.sinks = sinks;
  }

  @Override
  public String name() {
    return request.name();
  }

  @Override
  public PortAddress address() {
    return request.address();
  }

  @Override
  public int rxQueues() {
    return isSink ? 0 : inner.rxQueues();
  }

  @Override
  public int txQueues() {
    return inner.txQueues();
  }

  @Override
  public RxQueue rxQueue(int index) {
    return inner.rxQueue(index);
  }

  @Override
  public TxQueue txQueue(int index) {
    return inner.txQueue(index);
  }

  @Override
  public int socket() {
    return inner.socket();
  }

  @Override
  public void start() {
    if (frameBytes > 0) {
      fillBuffers();
    }
    inner.start();
    if (!isSink) {
      new OrderTaker(inner, sinks).start();
    }
  }

  private void fillBuffers() {
    PacketPool pool = inner.pool();
    if (pool == null) {
      throw new PortException(
          "port has no pool to fill: address=" + inner.address() + "; use a dpdk: port");
    }
    new FrameFiller(pool, request.pools(), frameBytes).fill();
  }

  @Override
  public void attachThread() {
    inner.attachThread();
  }

  @Override
  public void detachThread() {
    inner.detachThread();
  }

  @Override
  public PortStatistics statistics() {
    return inner.statistics();
  }

  @Override
  public void close() {
    inner.close();
  }
}
