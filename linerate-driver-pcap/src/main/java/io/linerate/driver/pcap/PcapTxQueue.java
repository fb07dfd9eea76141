package io.linerate.driver.pcap;

import static io.linerate.core.port.QueueCounts.BYTES;
import static io.linerate.core.port.QueueCounts.PACKETS;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.PacketView;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.TxQueue;
import io.linerate.core.time.EpochClock;
import org.jspecify.annotations.Nullable;

/**
 * A transmit queue that writes to a capture file, which takes all it is given, but for packets of
 * another link type than the first in pcap format. A packet is sent when the file has it; until
 * then it is undecided, and refused as {@code tx_error} when the file fails.
 */
final class PcapTxQueue implements TxQueue {

  /** Shared with the other queues, and their lock. */
  private final CaptureWriter writer;

  private final PacketPools pools;
  final QueueCounts counts = new QueueCounts(2);
  private final DropCounts refused = new DropCounts();
  private final UnwrittenPackets unwritten = new UnwrittenPackets();
  private final PacketView view = new PacketView(EpochClock.SYSTEM);

  /** Thrown when more is sent: a packet that was taken could not be read, and may be written. */
  private @Nullable InternalError fault;

  PcapTxQueue(CaptureWriter writer, PacketPools pools) {
    this.writer = writer;
    this.pools = pools;
  }

  @Override
  public int send(MbufArray packets, int from) {
    requireSound();
    int count = 0;
    try {
      synchronized (writer) {
        try {
          while (from + count < packets.size()) {
            write(packets, from + count);
            count++;
          }
          MappedFileFault.settle();
        } finally {
          decided();
        }
      }
    } catch (Throwable e) { // The disk is full, or the file that a packet is in became shorter.
      if (count == 0 || e instanceof StackOverflowError) {
        throw e;
      } // Otherwise the next call says it, with nothing taken.
      fault = e instanceof InternalError error ? error : null;
    } finally {
      view.end();
      pools.free(Handles.address(packets.address(), from), count);
    }
    return count;
  }

  private void requireSound() {
    InternalError known = fault;
    if (known != null) {
      throw known;
    }
  }

  private void write(MbufArray packets, int index) {
    Packet packet = view.of(packets, index);
    if (writer.write(packet)) {
      unwritten.add(writer.packets() - 1, packet.length());
    } else {
      refused.addPacket(DropReason.TX_LINK_TYPE, packets.handle(index));
    }
  }

  /** Counts what has been decided. */
  private void decided() {
    int sent = unwritten.countBelow(writer.writtenPackets());
    if (sent > 0) {
      counts.add(PACKETS, sent);
      counts.add(BYTES, unwritten.removeFirst(sent));
      counts.publish();
    }
    int lost = unwritten.size();
    if (lost > 0 && writer.hasFailed()) {
      unwritten.removeFirst(lost);
      refused.add(DropReason.TX_ERROR, lost);
    }
  }

  @Override
  public void flush() {
    synchronized (writer) {
      try {
        writer.flush();
      } finally {
        decided();
      }
    }
  }

  @Override
  public void decide() {
    if (!writer.hasFailed()) {
      flush();
    }
  }

  @Override
  public int undecided() {
    return unwritten.size();
  }

  @Override
  public DropCounts refused() {
    return refused;
  }
}
