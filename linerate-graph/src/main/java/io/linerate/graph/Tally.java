package io.linerate.graph;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Packets and bytes that passed a place. One thread writes, any may read. */
final class Tally {
  private static final VarHandle PACKETS = field("packets");
  private static final VarHandle BYTES = field("bytes");

  private long packets;
  private long bytes;

  void add(long morePackets, long moreBytes) {
    PACKETS.setOpaque(this, packets + morePackets);
    BYTES.setOpaque(this, bytes + moreBytes);
  }

  long packets() {
    return (long) PACKETS.getOpaque(this);
  }

  long bytes() {
    return (long) BYTES.getOpaque(this);
  }

  private static VarHandle field(String name) {
    try {
      return MethodHandles.lookup().findVarHandle(Tally.class, name, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
