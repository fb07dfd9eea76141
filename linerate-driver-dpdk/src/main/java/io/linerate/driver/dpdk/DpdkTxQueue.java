package io.linerate.driver.dpdk;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.port.TxQueue;

/**
 * A transmit queue. Packets of DPDK's pools go to the device as they are, in one call; those of
 * other ports' pools are copied first.
 */
final class DpdkTxQueue implements TxQueue {
  private final int port;
  private final int queue;
  private final PacketPools pools;
  private final CopyingSender copying;
  private boolean closed;

  DpdkTxQueue(int port, int queue, DpdkPool pool, PacketPools pools) {
    this.port = port;
    this.queue = queue;
    this.pools = pools;
    copying = new CopyingSender(port, queue, pool, pools);
  }

  @Override
  public int send(MbufArray packets, int from) {
    if (closed) {
      throw new IllegalStateException("port is closed: DPDK port=" + port + ", tx queue=" + queue);
    }
    int count = packets.size() - from;
    long handles = Handles.address(packets.address(), from);
    return isDpdks(packets, handles, count)
        ? DpdkLibrary.txBurst(port, queue, handles, count)
        : copying.send(handles, count);
  }

  /** Looks at the packets one by one only when nothing less tells. */
  private boolean isDpdks(MbufArray packets, long handles, int count) {
    return packets.origin() instanceof DpdkPool
        || !pools.hasOwn()
        || !copying.isNeeded(handles, count);
  }

  void close() {
    closed = true;
  }
}
