package io.linerate.graph;

import io.linerate.core.counter.SingleWriterCounters;

/** Packets and bytes that passed a place. One thread writes, any may read. */
final class PacketCounter {
  private final SingleWriterCounters counts = new SingleWriterCounters(2);

  void add(long morePackets, long moreBytes) {
    counts.add(0, morePackets);
    counts.add(1, moreBytes);
  }

  long packets() {
    return counts.get(0);
  }

  long bytes() {
    return counts.get(1);
  }
}
