package io.linerate.driver.pcap;

import io.linerate.core.counter.CounterBlock;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.PacketView;
import io.linerate.core.port.TxQueue;
import io.linerate.core.time.EpochClock;

/** One worker's way into a capture file, which takes all it is given. */
final class PcapTxQueue implements TxQueue {
  static final int PACKETS = 0;
  static final int BYTES = 1;

  /** Shared with the other queues, and their lock. */
  private final CaptureWriter writer;

  private final PacketPools pools;
  private final CounterBlock counters = new CounterBlock(2);
  private final PacketView view = new PacketView(EpochClock.SYSTEM);
  private long sentPackets;
  private long bytes;

  PcapTxQueue(CaptureWriter writer, PacketPools pools) {
    this.writer = writer;
    this.pools = pools;
  }

  @Override
  public int send(MbufArray packets, int from) {
    int count = 0;
    long sentBytes = 0;
    try {
      synchronized (writer) {
        for (int i = from; i < packets.size(); i++) {
          Packet packet = view.of(packets.handle(i));
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
    view.end();
    pools.free(Handles.address(packets.address(), from), count);
    sentPackets += count;
    bytes += sentBytes;
    counters.begin();
    counters.set(PACKETS, sentPackets);
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
