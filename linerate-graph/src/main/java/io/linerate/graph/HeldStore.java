package io.linerate.graph;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.HeldPackets;

/** Packets that an element keeps and ends one by one: see {@link Wiring#hold}. */
final class HeldStore implements PacketStore, Round {
  /** Part of the buffers that one store may have: reception goes on with the rest. */
  private static final int PART = 8;

  final HeldPackets packets;
  private final Replica replica;

  /** Packets that are counted as held. */
  private int counted;

  HeldStore(RunningElement element, int most) {
    replica = element.replica();
    ReplicaHost host = replica.host();
    int capacity = Math.clamp(host.buffers() / PART, 1, most);
    packets =
        new HeldPackets(capacity, 0, element.drops(), host.freeBuffer(), () -> 0, host.owner());
  }

  @Override
  public int size() {
    return packets.size();
  }

  @Override
  public int capacity() {
    return packets.capacity();
  }

  @Override
  public void dropAll(DropReason reason) {
    packets.dropAll(reason);
    resized();
  }

  /** Frees what has ended, and counts as held what is. */
  @Override
  public int run() {
    boolean _ = packets.expire();
    resized();
    return 0;
  }

  private void resized() {
    int now = packets.size();
    if (now != counted) {
      replica.host().ledger().addHeld(now - counted);
      replica.kept(now - counted);
      counted = now;
    }
  }
}
