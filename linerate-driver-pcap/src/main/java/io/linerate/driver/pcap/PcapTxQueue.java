package io.linerate.driver.pcap;

import io.linerate.core.counter.CounterBlock;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Handles;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.PacketPools;
import io.linerate.core.port.TxQueue;

/** One worker's way into a capture file, which takes all it is given. */
final class PcapTxQueue implements TxQueue {
  static final int PACKETS = 0;
  static final int BYTES = 1;

  /** Shared with the other queues, and their lock. */
  private final CaptureWriter writer;

  private final PacketPools pools;
  private final CounterBlock counters = new CounterBlock(2);
  private long packets;
  private long bytes;

  PcapTxQueue(CaptureWriter writer, PacketPools pools) {
    this.writer = writer;
    this.pools = pools;
  }

  @Override
  public int send(Burst burst, int from) {
    int count = 0;
    long sentBytes = 0;
    try {
      synchronized (writer) {
        for (int i = from; i < burst.size(); i++) {
          Packet packet = burst.packet(i);
          writer.write(packet);
          sentBytes += packet.length();
          count++;
        }
      }
    } catch (Throwable e) { // The disk is full, or the file that a packet is in became shorter.
      if (count == 0) {
        throw e;
      } // Otherwise the next call says it, with nothing taken.
    }
    pools.free(Handles.address(burst.handles(), from), count);
    packets += count;
    bytes += sentBytes;
    counters.begin();
    counters.set(PACKETS, packets);
    counters.set(BYTES, bytes);
    counters.publish();
    return count;
  }

  @Override
  public void flush() {
    synchronized (writer) {
      writer.flush();
    }
  }

  CounterBlock counters() {
    return counters;
  }
}
