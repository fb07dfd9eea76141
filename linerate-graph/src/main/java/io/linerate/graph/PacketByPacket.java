package io.linerate.graph;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import java.util.function.Consumer;

/**
 * Gives each packet of a burst to a handler, and what is left to an output. Where such handlers
 * follow each other, one loop over the burst does for all: see {@link FusedLoop}.
 */
record PacketByPacket(Consumer<Packet> handler, Outlet out, RunningElement element)
    implements BurstHandler, Consumer<Packet> {
  @Override
  public void onBurst(Burst burst) {
    burst.forEach(this);
    out.push(burst);
  }

  /** So that no other packet is handled twice when the handler throws. */
  @Override
  public void accept(Packet packet) {
    try {
      handler.accept(packet);
    } catch (Throwable e) { // Whatever an element does, its worker goes on.
      element.failedAt(packet, e);
    }
  }
}
