package io.linerate.driver.ring;

import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;

/** A port of the given queues, for devices that fail. */
record ScriptedPort(RxQueue rx, TxQueue tx) implements DriverPort {
  @Override
  public PortProperties properties() {
    return new PortProperties("scripted", 1, 1);
  }

  @Override
  public RxQueue rxQueue(int index) {
    return rx;
  }

  @Override
  public TxQueue txQueue(int index) {
    return tx;
  }

  @Override
  public PortStatistics statistics() {
    return PortStatistics.NONE;
  }

  @Override
  public void close() {}
}
