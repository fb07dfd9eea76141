package io.linerate.bench.port;

import io.linerate.core.driver.PacketPool;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortDecorator;
import io.linerate.core.port.PortException;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortRequest;
import java.util.List;

/**
 * The port that the harness speaks to: queues are those of the inner port, nothing stands in the
 * packets' way.
 */
final class BenchPort implements PortDecorator {
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
  public DriverPort inner() {
    return inner;
  }

  @Override
  public PortProperties properties() {
    PortProperties own = inner.properties().named(request.name(), request.address());
    return isSink ? own.withRxQueues(0) : own;
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
}
