package io.linerate.driver.linux;

import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /** What it is on; null if that is of its own making. */
  protected @Nullable NetInterface netInterface() {
    return null;
  }

  @Override
  public boolean hasLink() {
    return netInterface() != null;
  }

  @Override
  public boolean isLinkUp() {
    NetInterface its = netInterface();
    return its == null || its.linkNow() > 0;
  }

  /** Whether its interface was deleted. */
  boolean isGone() {
    NetInterface its = netInterface();
    return its != null && its.linkNow() < 0;
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
