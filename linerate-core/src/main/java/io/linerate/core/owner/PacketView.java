package io.linerate.core.owner;

import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.Packet;
import io.linerate.core.time.EpochClock;

/**
 * Reads packets of a driver's array one at a time, where they are: for what records or shows them.
 */
public final class PacketView {
  private final BurstOwner owner = new BurstOwner();
  private final OwnedBurst one;

  /**
   * @param clock tells the time of packets that have none of their own
   */
  public PacketView(EpochClock clock) {
    one = new OwnedBurst(1, new DropCounts(), clock, owner);
  }

  /** The packet, for the calling thread, until the next call or {@link #end}. */
  public Packet of(long mbuf) {
    owner.bind();
    one.clear();
    one.array().append(mbuf);
    return one.burst().packet(0);
  }

  /** Forgets the packet, which may end from now on. Any thread, if no other uses the view. */
  public void end() {
    owner.bind();
    one.clear();
  }
}
