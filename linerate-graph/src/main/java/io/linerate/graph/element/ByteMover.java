package io.linerate.graph.element;

import io.linerate.core.memory.Packet;

/** Copies bytes from one packet to another, or within one, through an array of its own. */
final class ByteMover {
  /** Ranges of one packet that are not longer may overlap. */
  static final int ROOM_BYTES = 2_048;

  private final byte[] room = new byte[ROOM_BYTES];

  void copy(Packet from, int fromOffset, Packet to, int toOffset, int count) {
    for (int done = 0; done < count; done += ROOM_BYTES) {
      int part = Math.min(ROOM_BYTES, count - done);
      from.get(fromOffset + done, room, 0, part);
      to.set(toOffset + done, room, 0, part);
    }
  }
}
