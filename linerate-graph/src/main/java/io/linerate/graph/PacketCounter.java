package io.linerate.graph;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Packets and bytes that passed a place. One thread writes, any may read. Fields, not {@code
 * SingleWriterCounters}: every burst is counted at each edge, and an array costs a load and a check
 * more for each number.
 */
final class PacketCounter {
  private static final VarHandle PACKETS;
  private static final VarHandle BYTES;

  static {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    try {
      PACKETS = lookup.findVarHandle(PacketCounter.class, "packets", long.class);
      BYTES = lookup.findVarHandle(PacketCounter.class, "bytes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long packets;
  private long bytes;

  void passed(long morePackets, long moreBytes) {
    // As plain as can be, an instruction each: readers see it when the burst has ended.
    packets = packets + morePackets;
    bytes = bytes + moreBytes;
  }

  long packets() {
    return (long) PACKETS.getOpaque(this);
  }

  long bytes() {
    return (long) BYTES.getOpaque(this);
  }
}
