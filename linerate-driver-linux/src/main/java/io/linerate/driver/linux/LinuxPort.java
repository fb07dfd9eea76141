package io.linerate.driver.linux;

import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import java.util.ArrayList;
import java.util.List;

/** A port of the kernel, and the queues that it has opened. */
public abstract class LinuxPort<R extends RxQueue, T extends TxQueue> implements DriverPort {
  protected final PortRequest request;
  protected final List<R> rxQueues = new ArrayList<>();
  protected final List<T> txQueues = new ArrayList<>();

  protected LinuxPort(PortRequest request) {
    this.request = request;
  }

  @Override
  public PortProperties properties() {
    return new PortProperties(request, rxQueues.size(), txQueues.size());
  }

  @Override
  public RxQueue rxQueue(int index) {
    return rxQueues.get(index);
  }

  @Override
  public TxQueue txQueue(int index) {
    return txQueues.get(index);
  }
}
