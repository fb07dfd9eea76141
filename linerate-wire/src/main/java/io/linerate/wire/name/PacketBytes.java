package io.linerate.wire.name;

import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.Packet;
import java.util.Objects;

/** Some bytes of a packet, such as what a UDP datagram carries. Made once, laid over many. */
public final class PacketBytes implements ByteView {
  @SuppressWarnings("NullAway.Init")
  private Packet packet;

  private int start;
  private int length;

  /**
   * Lays it over bytes of a packet.
   *
   * @throws IndexOutOfBoundsException if the packet has not that many there
   */
  public PacketBytes wrap(Packet newPacket, int offset, int count) {
    packet = newPacket;
    start = Objects.checkFromIndexSize(offset, count, newPacket.length());
    length = count;
    return this;
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public int u8(int index) {
    return packet.u8(start + Objects.checkIndex(index, length));
  }
}
