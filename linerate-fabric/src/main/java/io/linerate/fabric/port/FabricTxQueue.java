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
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Puts packets into messages. While the peer takes them at once, each burst leaves in messages of
 * its own; otherwise a message waits until it is full, or {@link #flush} is called. Packets are
 * undecided until the peer's worker has taken them: they count as sent then, or are refused when
 * the peer is lost before. What a peer that is there has still not taken when the worker ends
 * counts as sent: it has the memory.
 */
final class FabricTxQueue implements TxQueue {
  private static final System.Logger LOG = System.getLogger(FabricTxQueue.class.getName());
  static final int MESSAGES = 2;
  static final int COUNTERS = 3;

  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Messages that the peer has not taken, from which on packets wait for others that go with them.
   */
  private static final int UNTAKEN_MESSAGES = 4;

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

  /** What is being filled. */
  private @Nullable Outgoing message;

  private int frames;
  private long at;
  private int taken;
  private boolean isAloneTold;
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
      Channel channel = maintain();
      if (channel == null || !line.isUp()) {
        tellAlone();
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

  /** Where there was a peer, who looks at links tells that it has gone. */
  private void tellAlone() {
    if (!isAloneTold) {
      isAloneTold = true;
      LOG.log(
          Level.WARNING,
          "nobody is at the other end, packets are dropped as {0}: address={1}; start the other end first",
          DropReason.TX_LINK_DOWN,
          line.address());
    }
  }

  private int sendBy(Channel channel, MbufArray packets, int from) {
    int next = from;
    while (next < packets.size() && hasMessage(channel)) {
      next = fill(channel, packets, next);
    }
    if (channel.untakenMessages() < UNTAKEN_MESSAGES) {
      pass();
    }
    return next - from;
  }

  private boolean hasMessage(Channel channel) {
    if (message == null) {
      message = channel.claim();
      isAloneTold = true;
      at = PortMessage.COUNT_BYTES;
      frames = 0;
    }
    return message != null;
  }

  /**
   * Puts packets into the message, and sends it when one has no room in it.
   *
   * @return the first packet that is neither in it nor refused
   */
  private int fill(Channel channel, MbufArray packets, int from) {
    Outgoing into = Objects.requireNonNull(message);
    MemorySegment memory = into.memory();
    int before = frames;
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
    int all = undecided + frames - before;
    undecided = all;
    if (!hasRoom) {
      pass();
    }
    return next;
  }

  /** Sends the message that is being filled, if something is in it. */
  private void pass() {
    Outgoing filled = message;
    Channel channel = last;
    if (filled == null || channel == null || frames == 0) {
      return;
    }
    message = null;
    PortMessage.number(filled.memory(), 0, frames);
    filled.send((int) at);
    int slot = channel.sentMessages() & (SLOTS - 1);
    framesOf[slot] = frames;
    bytesOf[slot] = (int) at - PortMessage.COUNT_BYTES - PortMessage.LENGTH_BYTES * frames;
    counts.add(MESSAGES, 1);
  }

  /** Polls, counts what the peer has taken, and lets go of a peer that has gone. */
  @Nullable Channel maintain() {
    Channel channel = line.poll();
    if (channel != last) {
      last = channel;
      message = null;
      taken = 0; // A new channel: what was sent by the one before was refused with it.
    }
    if (channel == null) {
      return null;
    }
    countSent(channel.takenMessages());
    if (!line.isUp() && channel.state() != Channel.State.OPENING) {
      refuseUndecided();
      message = null;
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
      maintainAndPass();
    } finally {
      line.leave();
    }
  }

  /** As {@link #maintain}; what has come until now leaves. */
  void maintainAndPass() {
    Channel channel = maintain();
    if (channel != null && line.isUp()) {
      pass();
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
        maintainAndPass();
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
