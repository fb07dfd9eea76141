package io.linerate.core.worker;

import io.linerate.core.counter.SingleWriterCounters;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.Port;
import io.linerate.core.port.RxQueue;
import java.util.concurrent.CompletableFuture;

/**
 * A receive queue, the worker that polls it, and that worker's handler of its packets.
 *
 * <p>Its owner's thread alone uses the queue. Ownership passes through the orders of the two
 * workers, which make what the old owner did visible to the new one.
 */
final class Input {
  final DriverPort port;

  /** What handlers are told of it. */
  final Port face;

  final String portName;
  final int index;
  final RxQueue queue;

  // The owner's.
  InputHandler handler;
  int lastBurst;
  private final SingleWriterCounters packets = new SingleWriterCounters(1);

  // Guarded by the queue table.
  Worker owner;
  CompletableFuture<Void> moved = CompletableFuture.completedFuture(null);
  boolean hasEnded;

  Input(DriverPort port, int index, Worker owner) {
    this.port = port;
    face = new PortFace(port);
    this.index = index;
    this.owner = owner;
    portName = port.name();
    queue = port.rxQueue(index);
    handler = owner.handler(port);
  }

  /** Owner only. */
  void add(int count) {
    lastBurst = count;
    packets.add(0, count);
  }

  /** Packets that it has brought until now. Any thread. */
  long packets() {
    return packets.get(0);
  }

  @Override
  public String toString() {
    return "port=" + portName + ", queue=" + index;
  }
}
