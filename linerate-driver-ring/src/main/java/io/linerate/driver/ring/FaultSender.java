package io.linerate.driver.ring;

import io.linerate.core.memory.Burst;
import io.linerate.core.port.TxQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.SplittableRandom;

/** A transmit queue that now and then takes less than it could. */
final class FaultSender implements TxQueue {
  private static final int MAX_PART = 256;
  private static final VarHandle REFUSALS = refusalsHandle();

  private final TxQueue inner;
  private final double refuse;
  private final SplittableRandom random;
  private final Burst part = new Burst(MAX_PART);
  private long refusals;

  FaultSender(TxQueue inner, FaultPlan plan, int queue) {
    this.inner = inner;
    refuse = plan.refuse();
    random = new SplittableRandom(plan.seed() - 1 - queue);
  }

  @Override
  public int send(Burst burst, int from) {
    int offered = burst.size() - from;
    int accepted = accepted(offered);
    if (accepted == offered) {
      return inner.send(burst, from);
    }
    REFUSALS.setOpaque(this, refusals + 1);
    return accepted == 0 ? 0 : sendPart(burst, from, accepted);
  }

  private int accepted(int offered) {
    int accepted = 0;
    while (accepted < offered && !(refuse > 0 && random.nextDouble() < refuse)) {
      accepted++;
    }
    return accepted;
  }

  private int sendPart(Burst burst, int from, int count) {
    for (int i = 0; i < Math.min(count, MAX_PART); i++) {
      part.append(burst.handle(from + i));
    }
    try {
      return inner.send(part, 0);
    } finally {
      part.clear();
    }
  }

  @Override
  public void flush() {
    inner.flush();
  }

  @Override
  public int waiting() {
    return inner.waiting();
  }

  /** Times that packets were refused. Any thread. */
  long refusals() {
    return (long) REFUSALS.getOpaque(this);
  }

  private static VarHandle refusalsHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(FaultSender.class, "refusals", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
