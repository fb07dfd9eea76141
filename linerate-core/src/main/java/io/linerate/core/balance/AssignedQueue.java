package io.linerate.core.balance;

import io.linerate.core.counter.SingleWriterCounters;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.RxQueue;
import java.util.concurrent.CompletableFuture;

/**
 * A receive queue of a port, and whose it is.
 *
 * <p>Its owner's thread alone uses the queue. Ownership passes through the commands of the two
 * workers, which make what the old owner did visible to the new one.
 */
public final class AssignedQueue {
  private final DriverPort port;
  private final int index;
  private final RxQueue queue;

  /** The owner's. */
  private final SingleWriterCounters packets = new SingleWriterCounters(1);

  // Guarded by the queue table.
  QueueOwner owner;
  CompletableFuture<Void> moved = CompletableFuture.completedFuture(null);

  AssignedQueue(DriverPort port, int index, QueueOwner owner) {
    this.port = port;
    this.index = index;
    this.owner = owner;
    queue = port.rxQueue(index);
  }

  public DriverPort port() {
    return port;
  }

  /** Number of the queue at its port. */
  public int index() {
    return index;
  }

  public RxQueue queue() {
    return queue;
  }

  /** It has brought packets. Owner only. */
  public void add(int count) {
    packets.add(0, count);
  }

  /** Packets that it has brought until now. Any thread. */
  public long packets() {
    return packets.get(0);
  }

  @Override
  public String toString() {
    return "port=" + port.name() + ", queue=" + index;
  }
}
