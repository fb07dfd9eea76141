package io.linerate.graph;

import io.linerate.core.memory.DropReason;

/** Packets that an element keeps beyond their burst: they are accounted for as held. */
public sealed interface PacketStore permits PacketQueue, PacketGroup, HeldStore, Crossing {
  /** Packets that are held. */
  int size();

  /** Packets that can be held. */
  int capacity();

  /** Drops all. */
  void dropAll(DropReason reason);
}
