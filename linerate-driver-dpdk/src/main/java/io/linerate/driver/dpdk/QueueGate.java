package io.linerate.driver.dpdk;

import io.linerate.core.port.PortException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a worker out of a queue while its device is started, or not started yet. Whoever calls DPDK
 * for the queue holds this one's lock, and calls only while it is open.
 */
final class QueueGate {
  private boolean isOpen;
  private @Nullable PortException failure;

  QueueGate(boolean isOpen) {
    this.isOpen = isOpen;
  }

  /**
   * @throws PortException if the device will never start
   */
  synchronized boolean isOpen() {
    if (failure != null) {
      throw failure;
    }
    return isOpen;
  }

  /** When this returns, nobody is in the queue. */
  synchronized void close() {
    isOpen = false;
  }

  synchronized void open() {
    isOpen = true;
  }

  /** It stays closed, for this reason. */
  synchronized void fail(PortException reason) {
    failure = reason;
  }
}
