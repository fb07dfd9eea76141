package io.linerate.driver.ring;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.TxQueue;
import io.linerate.core.port.TxQueueDecorator;
import java.util.SplittableRandom;

/** A transmit queue that now and then takes less than it could. */
final class FaultSender implements TxQueueDecorator {
  private static final int MAX_PART = 256;

  private final TxQueue inner;
  private final double refuse;
  private final SplittableRandom random;
  private final MbufArray part = new MbufArray(MAX_PART);
  private final QueueCounts refusals = new QueueCounts(1);

  FaultSender(TxQueue inner, FaultPlan plan, int queue) {
    this.inner = inner;
    refuse = plan.refuse();
    random = new SplittableRandom(plan.seed() - 1 - queue);
  }

  @Override
  public TxQueue inner() {
    return inner;
  }

  @Override
  public int send(MbufArray packets, int from) {
    int offered = packets.size() - from;
    int accepted = accepted(offered);
    if (accepted == offered) {
      return inner.send(packets, from);
    }
    refusals.add(0, 1);
    refusals.publish();
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

  /** Times that packets were refused. Any thread. */
  long refusals() {
    return refusals.read()[0];
  }
}
