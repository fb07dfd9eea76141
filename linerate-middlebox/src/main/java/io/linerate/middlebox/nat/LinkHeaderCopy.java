package io.linerate.middlebox.nat;

import io.linerate.core.memory.Packet;

/** What is before the header of IP, which moves when that gets another length. */
final class LinkHeaderCopy {
  private static final int MOST_BYTES = 22;
  private static final int ETHER_TYPE_BYTES = 2;

  private final byte[] bytes = new byte[MOST_BYTES];

  /** Keeps it. */
  void read(Packet packet, int l3) {
    packet.get(0, bytes, 0, l3);
  }

  /** Writes what was kept, with another ether type. */
  void write(Packet packet, int l3, int etherType) {
    packet.set(0, bytes, 0, l3);
    packet.u16(l3 - ETHER_TYPE_BYTES, etherType);
  }

  /** Gives a header of IP another length: what is behind it stays. */
  void replace(Packet packet, int l3, int oldBytes, int newBytes, int etherType) {
    read(packet, l3);
    if (newBytes > oldBytes) {
      packet.growHead(newBytes - oldBytes);
    } else {
      packet.shrinkHead(oldBytes - newBytes);
    }
    write(packet, l3, etherType);
  }
}
