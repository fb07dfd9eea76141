package io.linerate.driver.dpdk;

import io.linerate.core.memory.Burst;
import io.linerate.core.port.RxQueue;

/** Counts what a receive queue brings. */
record TallyingRxQueue(RxQueue queue, QueueTally tally) implements RxQueue {
  @Override
  public int receive(Burst burst) {
    int from = burst.size();
    int count = queue.receive(burst);
    if (count > 0) {
      tally.add(count, QueueTally.lengthBytes(burst, from));
    }
    return count;
  }
}
