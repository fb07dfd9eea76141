package io.linerate.decode.reassembly;

import java.util.Arrays;

/** Packets that a window has bytes of, in the order of those, and where in the stream they end. */
final class UnreadPackets {
  private static final int FIRST_ROOM = 8;

  private StreamPacket[] packets = new StreamPacket[FIRST_ROOM];
  private long[] ends = new long[FIRST_ROOM];
  private int from;
  private int to;

  boolean isEmpty() {
    return from == to;
  }

  /** Where the first one's bytes end. */
  long firstEnd() {
    return ends[from];
  }

  /** Adds a range of a packet at the end. */
  @SuppressWarnings("ReferenceEquality") // Packets are themselves only.
  void add(StreamPacket packet, long end) {
    if (to > from && packets[to - 1] == packet) {
      ends[to - 1] = end;
      return;
    }
    if (to == ends.length) {
      boolean isRoomBefore = from > to / 2;
      moveToFront();
      if (!isRoomBefore) {
        resize(2 * ends.length);
      }
    }
    packet.ranges++;
    packets[to] = packet;
    ends[to++] = end;
  }

  /** Takes the first range away; whose it was. */
  StreamPacket removeFirst() {
    StreamPacket packet = packets[from++];
    packet.ranges--;
    if (from == to) {
      from = 0;
      to = 0;
    }
    return packet;
  }

  private void moveToFront() {
    System.arraycopy(packets, from, packets, 0, to - from);
    System.arraycopy(ends, from, ends, 0, to - from);
    to -= from;
    from = 0;
  }

  private void resize(int room) {
    packets = Arrays.copyOf(packets, room);
    ends = Arrays.copyOf(ends, room);
  }

  /** Lets go of room, but for that of about twice the ranges that there are. */
  void trim() {
    int wanted = Math.max(FIRST_ROOM, Integer.highestOneBit(Math.max(2 * (to - from), 1)));
    if (wanted < ends.length) {
      moveToFront();
      resize(wanted);
    }
  }
}
