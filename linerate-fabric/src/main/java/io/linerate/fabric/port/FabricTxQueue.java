package io.linerate.fabric.port;

import static io.linerate.core.port.QueueCounts.BYTES;
import static io.linerate.core.port.QueueCounts.PACKETS;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.driver.SegmentCopy;
import io.linerate.core.driver.Segmenter;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.TxQueue;
import io.linerate.fabric.channel.Channel;
import io.linerate.fabric.channel.Outgoing;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Puts a burst into as few messages as it takes. Packets are undecided until the peer's worker has
 * taken them: they count as sent then, or are refused when the peer is lost before. What a peer
 * that is there has still not taken when the worker ends counts as sent: it has the memory.
 */
final class FabricTxQueue implements TxQueue {
  static final int MESSAGES = 2;
  static final int COUNTERS = 3;

  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);
  private static final int SLOTS = 4096; // The largest window of a peer.

  private final FabricLine line;
  private final PacketPools pools;
  private final int mtuBytes;
  final QueueCounts counts = new QueueCounts(COUNTERS);
  private final DropCounts refused = new DropCounts();

  /** Frames, and their bytes, of each message that the peer has not taken, by its number. */
  private final int[] framesOf = new int[SLOTS];

  private final int[] bytesOf = new int[SLOTS];

  private @Nullable Channel last;
  private int taken;
  private volatile int undecided; // Written under the line's lock.

  FabricTxQueue(FabricLine line, PacketPools pools, int mtuBytes) {
    this.line = line;
    this.pools = pools;
    this.mtuBytes = mtuBytes;
  }

  @Override
  public int send(MbufArray packets, int from) {
    line.enter();
    int count = 0;
    try {
      Channel channel = look();
      if (channel == null || !line.isUp()) {
        count = packets.size() - from;
        refused.addPackets(
            DropReason.TX_LINK_DOWN, Handles.address(packets.address(), from), count);
      } else {
        count = sendBy(channel, packets, from);
      }
    } finally {
      pools.free(Handles.address(packets.address(), from), count);
      counts.publish();
      line.leave();
    }
    return count;
  }

  private int sendBy(Channel channel, MbufArray packets, int from) {
    int next = from;
    while (next < packets.size()) {
      Outgoing message = channel.claim();
      if (message == null) {
        break;
      }
      next = fill(channel, message, packets, next);
    }
    return next - from;
  }

  /** Fills a message and sends it; the first packet that had no room in it. */
  private int fill(Channel channel, Outgoing message, MbufArray packets, int from) {
    MemorySegment memory = message.memory();
    long at = PortMessage.COUNT_BYTES;
    int frames = 0;
    int next = from;
    boolean hasRoom = true;
    while (hasRoom && next < packets.size()) {
      long mbuf = packets.handle(next);
      int bytes = Mbuf.packetLength(mbuf);
      long end = at + PortMessage.LENGTH_BYTES + bytes;
      boolean isFrame = bytes <= mtuBytes + Segmenter.LINK_BYTES;
      if (isFrame && end <= channel.messageBytes()) {
        PortMessage.number(memory, at, bytes);
        SegmentCopy.read(mbuf, 0, memory, at + PortMessage.LENGTH_BYTES, bytes);
        at = end;
        frames++;
        next++;
      } else if (!isFrame || frames == 0) {
        refused.addPacket(DropReason.TX_TOO_LONG, mbuf);
        next++;
      } else {
        hasRoom = false;
      }
    }
    if (frames == 0) {
      message.cancel();
      return next;
    }
    PortMessage.number(memory, 0, frames);
    message.send((int) at);
    int slot = channel.sentMessages() & (SLOTS - 1);
    framesOf[slot] = frames;
    bytesOf[slot] = (int) at - PortMessage.COUNT_BYTES - PortMessage.LENGTH_BYTES * frames;
    int all = undecided + frames;
    undecided = all;
    counts.add(MESSAGES, 1);
    return next;
  }

  /** Polls, counts what the peer has taken, and lets go of a peer that has gone. */
  @Nullable Channel look() {
    Channel channel = line.poll();
    if (channel != last) {
      last = channel;
      taken = 0; // A new channel: what was sent by the one before was refused with it.
    }
    if (channel == null) {
      return null;
    }
    countSent(channel.takenMessages());
    if (!line.isUp() && channel.state() != Channel.State.OPENING) {
      refuseUndecided();
      line.drop();
      return null;
    }
    return channel;
  }

  /** Counts the frames of all messages up to a number, but for those that were counted. */
  private void countSent(int message) {
    int left = undecided;
    while (message - taken > 0) {
      taken++;
      int slot = taken & (SLOTS - 1);
      left -= framesOf[slot];
      counts.add(PACKETS, framesOf[slot]);
      counts.add(BYTES, bytesOf[slot]);
      framesOf[slot] = 0;
      bytesOf[slot] = 0;
    }
    if (left != undecided) {
      undecided = left;
      counts.publish();
    }
  }

  private void refuseUndecided() {
    if (undecided > 0) {
      refused.add(DropReason.TX_LINK_DOWN, undecided);
      undecided = 0;
    }
  }

  @Override
  public int mtuBytes() {
    return mtuBytes;
  }

  @Override
  public DropCounts refused() {
    return refused;
  }

  @Override
  public int undecided() {
    return undecided;
  }

  @Override
  public int waiting() {
    return undecided;
  }

  @Override
  public void flush() {
    line.enter();
    try {
      look();
    } finally {
      line.leave();
    }
  }

  /** Waits for as long as the peer goes on taking what it was sent. */
  @Override
  public void decide() {
    line.enter();
    try {
      long since = System.nanoTime();
      int before = undecided;
      while (undecided > 0 && System.nanoTime() - since < PATIENCE_NS) {
        look();
        if (undecided != before) {
          before = undecided;
          since = System.nanoTime();
        }
      }
      Channel channel = last;
      if (channel != null && undecided > 0) {
        countSent(channel.sentMessages());
      }
    } finally {
      line.leave();
    }
  }

  void close() {
    line.close();
  }
}
