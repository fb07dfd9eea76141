package io.linerate.driver.dpdk;

import io.linerate.core.memory.Burst;
import io.linerate.core.port.TxQueue;

/** Counts what a transmit queue takes. */
record TallyingTxQueue(TxQueue queue, QueueTally tally) implements TxQueue {
  @Override
  public int send(Burst burst, int from) {
    // What was taken may not be read afterwards, so the rest is taken off.
    long lengthBytes = QueueTally.lengthBytes(burst, from);
    int count = queue.send(burst, from);
    if (count > 0) {
      tally.add(count, lengthBytes - QueueTally.lengthBytes(burst, from + count));
    }
    return count;
  }

  @Override
  public void flush() {
    queue.flush();
  }
}
