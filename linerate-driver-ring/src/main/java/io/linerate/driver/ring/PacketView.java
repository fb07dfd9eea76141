package io.linerate.driver.ring;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.Packet;
import io.linerate.core.time.EpochClock;

/** Reads packets of somebody else's burst without moving that burst's cursor. */
final class PacketView {
  private final Burst burst;

  PacketView(EpochClock clock) {
    burst = new Burst(1, new DropCounts(), clock);
  }

  /** The packet, until the next call or {@link #end}. */
  Packet of(long mbuf) {
    burst.clear();
    burst.append(mbuf);
    return burst.packet(0);
  }

  /** Forgets the packet, which may end from now on. */
  void end() {
    burst.clear();
  }
}
