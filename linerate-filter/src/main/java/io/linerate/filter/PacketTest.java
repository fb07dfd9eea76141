package io.linerate.filter;

import io.linerate.core.memory.Packet;

/** Says of a packet whether it is wanted. */
@FunctionalInterface
public interface PacketTest {
  /** Whether the packet is wanted. It stays as it is. */
  boolean accepts(Packet packet);
}
