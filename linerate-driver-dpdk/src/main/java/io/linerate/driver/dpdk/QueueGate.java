package io.linerate.driver.dpdk;

/**
 * Keeps a worker out of a queue while its device is started again. Whoever calls DPDK for the queue
 * holds this one's lock, and calls only while it is open.
 */
final class QueueGate {
  private boolean isOpen;

  QueueGate(boolean isOpen) {
    this.isOpen = isOpen;
  }

  synchronized boolean isOpen() {
    return isOpen;
  }

  /** When this returns, nobody is in the queue. */
  synchronized void close() {
    isOpen = false;
  }

  synchronized void open() {
    isOpen = true;
  }
}
