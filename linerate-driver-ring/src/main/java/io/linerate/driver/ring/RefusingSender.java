package io.linerate.driver.ring;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.TxQueue;
import io.linerate.core.port.TxQueueDecorator;
import java.util.SplittableRandom;

/**
 * A transmit queue that now and then takes less than it could.
 *
 * @param part the packets that it takes then
 * @param counts how often it was so
 */
record RefusingSender(
    TxQueue inner, double refuse, SplittableRandom random, MbufArray part, QueueCounts counts)
    implements TxQueueDecorator {
  private static final int MAX_PART = 256;

  RefusingSender(TxQueue inner, FaultPlan plan, int queue) {
    this(
        inner,
        plan.refuse(),
        new SplittableRandom(plan.seed() - 1 - queue),
        new MbufArray(MAX_PART),
        new QueueCounts(1));
  }

  @Override
  public int send(MbufArray packets, int from) {
    int offered = packets.size() - from;
    int accepted = accepted(offered);
    if (accepted == offered) {
      return inner.send(packets, from);
    }
    counts.add(0, 1);
    counts.publish();
    return accepted == 0 ? 0 : sendPart(packets, from, accepted);
  }

  private int accepted(int offered) {
    int accepted = 0;
    while (accepted < offered && !(refuse > 0 && random.nextDouble() < refuse)) {
      accepted++;
    }
    return accepted;
  }

  private int sendPart(MbufArray packets, int from, int count) {
    for (int i = 0; i < Math.min(count, MAX_PART); i++) {
      part.append(packets.handle(from + i));
    }
    try {
      return inner.send(part, 0);
    } finally {
      part.clear();
    }
  }
}
