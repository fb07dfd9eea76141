package io.linerate.driver.linux;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortException;
import io.linerate.core.port.RxQueue;
import org.jspecify.annotations.Nullable;

/** A receive queue of a {@link ReopeningPort}: that of the port that there is now. */
final class ReopeningRxQueue implements RxQueue {
  private final ReopeningPort port;
  private @Nullable DriverPort of;
  private @Nullable RxQueue inner;

  /** Of a worker that waits until there is a port. */
  private @Nullable Runnable waiter;

  ReopeningRxQueue(ReopeningPort port) {
    this.port = port;
  }

  synchronized void attach(DriverPort now, RxQueue queue) {
    of = now;
    inner = queue;
    if (waiter != null) {
      waiter.run();
      waiter = null;
    }
  }

  synchronized void detach() {
    of = null;
    inner = null;
  }

  @Override
  public synchronized int receive(MbufArray packets) {
    if (inner == null) {
      return 0;
    }
    try {
      return inner.receive(packets);
    } catch (PortException e) {
      lost(e);
      return 0;
    }
  }

  private void lost(PortException e) {
    DriverPort failed = of;
    detach();
    port.lost(failed, String.valueOf(e.getMessage()));
  }

  @Override
  public synchronized int waiting() {
    return inner == null ? 0 : inner.waiting();
  }

  @Override
  public synchronized boolean canWait() {
    return inner == null || inner.canWait();
  }

  @Override
  public synchronized int waitFor(Runnable wake) {
    if (inner == null) {
      waiter = wake;
      return WAKES;
    }
    try {
      return inner.waitFor(wake);
    } catch (PortException e) {
      lost(e);
      return HAS_PACKETS;
    }
  }
}
