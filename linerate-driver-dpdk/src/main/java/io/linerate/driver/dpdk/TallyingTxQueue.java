package io.linerate.driver.dpdk;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.TxQueue;

/** Counts what a transmit queue takes. */
record TallyingTxQueue(TxQueue queue, QueueTally tally) implements TxQueue {
  @Override
  public int send(MbufArray packets, int from) {
    // What was taken may not be read afterwards, so the rest is taken off.
    long lengthBytes = QueueTally.lengthBytes(packets, from);
    int count = queue.send(packets, from);
    if (count > 0) {
      tally.add(count, lengthBytes - QueueTally.lengthBytes(packets, from + count));
    }
    return count;
  }

  @Override
  public void flush() {
    queue.flush();
  }
}
