package io.linerate.driver.dpdk;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.RxQueue;

/** A receive queue: the device writes handles straight into the array. */
final class DpdkRxQueue implements RxQueue {
  private final int port;
  private final int queue;
  private final DpdkPool pool;
  private boolean closed;

  DpdkRxQueue(int port, int queue, DpdkPool pool) {
    this.port = port;
    this.queue = queue;
    this.pool = pool;
  }

  @Override
  public int receive(MbufArray packets) {
    return receive(packets, 0, 0);
  }

  @Override
  public int receive(MbufArray packets, FreeBuffer spent) {
    if (!(spent.spentOrigin() instanceof DpdkPool)) {
      spent.freeSpent();
    }
    return receive(packets, spent.spent(), spent.takeSpent());
  }

  private int receive(MbufArray packets, long spent, int spentCount) {
    if (closed) {
      throw new IllegalStateException("port is closed: DPDK port=" + port + ", rx queue=" + queue);
    }
    int room = packets.room();
    long countAndBytes =
        DpdkLibrary.rxBurst(port, queue, packets.reserve(room), room, spent, spentCount);
    int count = (int) countAndBytes & 0xFFFF;
    // Any of DPDK's pools frees the packets of all of them.
    packets.extend(count, pool, countAndBytes >>> 16);
    return count;
  }

  void close() {
    closed = true;
  }
}
