package io.linerate.graph;

import io.linerate.core.counter.SingleWriterCounters;

/** Packets and bytes that passed a place. One thread writes, any may read. */
final class PacketCounter extends SingleWriterCounters {
  private static final int PACKETS = 0;
  private static final int BYTES = 1;

  PacketCounter() {
    super(2);
  }

  void passed(long morePackets, long moreBytes) {
    add(PACKETS, morePackets);
    add(BYTES, moreBytes);
  }

  long packets() {
    return get(PACKETS);
  }

  long bytes() {
    return get(BYTES);
  }
}
