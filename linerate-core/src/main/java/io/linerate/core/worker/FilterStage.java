package io.linerate.core.worker;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.ReceiveFilter;

/** Stands before the handlers of a worker: ends what the engine's filter does not accept. */
final class FilterStage implements BurstHandler {
  private final ReceiveFilter filter;

  FilterStage(ReceiveFilter filter) {
    this.filter = filter;
  }

  @Override
  public void onBurst(Burst burst) {
    for (int from = 0; from < burst.size(); from += Long.SIZE) {
      long accepted = filter.accepted(burst, from);
      for (long rest = burst.live(from) & ~accepted; rest != 0; rest &= rest - 1) {
        burst.packet(from + Long.numberOfTrailingZeros(rest)).drop(DropReason.FILTERED);
      }
    }
  }
}
