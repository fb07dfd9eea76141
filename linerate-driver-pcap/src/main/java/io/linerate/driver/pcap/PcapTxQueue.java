package io.linerate.driver.pcap;

import static io.linerate.core.port.QueueCounts.BYTES;
import static io.linerate.core.port.QueueCounts.PACKETS;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.PacketView;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.TxQueue;
import io.linerate.core.time.EpochClock;

/** A transmit queue that writes to a capture file, which takes all it is given. */
final class PcapTxQueue implements TxQueue {

  /** Shared with the other queues, and their lock. */
  private final CaptureWriter writer;

  private final PacketPools pools;
  final QueueCounts counts = new QueueCounts(2);
  private final PacketView view = new PacketView(EpochClock.SYSTEM);

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
    counts.add(PACKETS, count);
    counts.add(BYTES, sentBytes);
    counts.publish();
    return count;
  }

  @Override
  public void flush() {
    synchronized (writer) {
      writer.flush();
    }
  }
}
