package io.linerate.driver.ring;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.port.TxQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A transmit queue that now and then takes less than it could. */
final class FaultSender implements TxQueue {
  private static final int MAX_PART = 256;
  private static final VarHandle REFUSALS = refusalsHandle();

  private final TxQueue inner;
  private final double refuse;
  private final SplittableRandom random;
  private final MbufArray part = new MbufArray(MAX_PART);
  private long refusals;

  FaultSender(TxQueue inner, FaultPlan plan, int queue) {
    this.inner = inner;
    refuse = plan.refuse();
    random = new SplittableRandom(plan.seed() - 1 - queue);
  }

  @Override
  public int send(MbufArray packets, int from) {
    int offered = packets.size() - from;
    int accepted = accepted(offered);
    if (accepted == offered) {
      return inner.send(packets, from);
    }
    REFUSALS.setOpaque(this, refusals + 1);
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

  @Override
  public void flush() {
    inner.flush();
  }

  @Override
  public int waiting() {
    return inner.waiting();
  }

  @Override
  public int undecided() {
    return inner.undecided();
  }

  @Override
  public @Nullable DropCounts refused() {
    return inner.refused();
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
