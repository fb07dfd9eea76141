package io.linerate.core.memory;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.time.EpochClock;

/**
 * Reads packets of a driver's array one at a time, where they are: for what records or shows them.
 * All that are read until {@link #end} were received at one time.
 */
public final class PacketView {
  private final BurstOwner owner = new BurstOwner();
  private final EpochClock clock;
  private final OwnedBurst one;

  /** 0 before the first packet after an end. */
  private long receivedNs;

  /**
   * @param clock tells the time of packets that have none of their own
   */
  public PacketView(EpochClock clock) {
    this.clock = clock;
    one = new OwnedBurst(new MbufArray(1), new DropCounts(), () -> receivedNs, owner);
  }

  /** The packet in a slot, for the calling thread, until the next call or {@link #end}. */
  public Packet of(MbufArray packets, int index) {
    owner.bind();
    if (receivedNs == 0) {
      receivedNs = clock.epochNs();
    }
    one.clear();
    one.array().append(packets.handle(index));
    return one.burst().packet(0);
  }

  /** Forgets the packet, which may end from now on. Any thread, if no other uses the view. */
  public void end() {
    owner.bind();
    one.clear();
    receivedNs = 0;
  }
}
