package io.linerate.analysis;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;

/**
 * A packet that says how late it is and carries nothing else, between {@link FlowSpread} and {@link
 * PacketReader}.
 *
 * @param secret by which it is known: nobody can send one
 */
record TimeMark(long secret) {
  private static final int BYTES = 2 * Long.BYTES;

  /** Sends one; false: no buffer is free. */
  boolean send(Outlet out, long timeNs) {
    Packet packet = out.create(BYTES);
    if (packet == null) {
      return false;
    }
    packet.u64(0, secret);
    packet.u64(Long.BYTES, timeNs);
    return true;
  }

  /** Whether a packet is one. */
  boolean is(Packet packet) {
    return packet.length() == BYTES && packet.u64(0) == secret;
  }

  /** What one says. */
  SeenTime read(Packet packet) {
    return new SeenTime(packet.u64(Long.BYTES));
  }
}
