package io.linerate.driver.dpdk;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.TxQueue;
import io.linerate.core.port.TxQueueDecorator;

/** Counts what a transmit queue takes, while its gate is open. */
record CountingTxQueue(TxQueue inner, QueueCounts counts, QueueGate gate)
    implements TxQueueDecorator {
  @Override
  public int send(MbufArray packets, int from) {
    // What was taken may not be read afterwards, so the rest is taken off.
    long lengthBytes = CountingRxQueue.lengthBytes(packets, from);
    int count;
    synchronized (gate) {
      count = gate.isOpen() ? inner.send(packets, from) : 0;
    }
    if (count > 0) {
      counts.add(QueueCounts.PACKETS, count);
      counts.add(
          QueueCounts.BYTES, lengthBytes - CountingRxQueue.lengthBytes(packets, from + count));
      counts.publish();
    }
    return count;
  }
}
