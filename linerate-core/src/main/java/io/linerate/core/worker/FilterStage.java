package io.linerate.core.worker;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.ReceiveFilter;
import java.util.function.Consumer;

/** Stands before the handlers of a worker: ends what the engine's filter does not accept. */
final class FilterStage implements BurstHandler, Consumer<Packet> {
  private final ReceiveFilter filter;

  FilterStage(ReceiveFilter filter) {
    this.filter = filter;
  }

  @Override
  public void onBurst(Burst burst) {
    burst.forEach(this);
  }

  @Override
  public void accept(Packet packet) {
    if (!filter.accepts(packet)) {
      packet.drop(DropReason.FILTERED);
    }
  }

  @Override
  public boolean takes(LinkType type) {
    return true;
  }
}
