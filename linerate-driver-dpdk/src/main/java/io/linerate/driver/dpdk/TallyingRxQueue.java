package io.linerate.driver.dpdk;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.RxQueue;

/** Counts what a receive queue brings. */
record TallyingRxQueue(RxQueue queue, QueueTally tally) implements RxQueue {
  @Override
  public int receive(MbufArray packets) {
    int from = packets.size();
    int count = queue.receive(packets);
    if (count > 0) {
      tally.add(count, QueueTally.lengthBytes(packets, from));
    }
    return count;
  }
}
