package io.linerate.driver.linux.xdp;

import static io.linerate.core.port.QueueCounts.BYTES;
import static io.linerate.core.port.QueueCounts.PACKETS;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.driver.SegmentCopy;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.PortException;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.TxQueue;
import io.linerate.driver.linux.AdaptiveSender;
import io.linerate.driver.linux.packet.SuperPacketSocket;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Sends: packets that lie in the shared memory go into the transmit ring as they are, all others
 * are copied into it first. Their chunks are freed through the completion ring. Packets that the
 * kernel has to cut leave by a packet socket, once the ring is empty so that they overtake nothing:
 * nobody cuts behind AF_XDP.
 */
final class XdpTxQueue implements TxQueue, AdaptiveSender.Ring {
  private static final int BATCH = 64;

  /** Segments of a frame: MAX_SKB_FRAGS of the kernel, 17 by default. */
  private static final int MAX_SEGMENTS = 17;

  /** What the kernel calls a frame: is_skb_forwardable of net/core/dev.c. */
  private static final int ETHERNET_BYTES = 14;

  static final int CALLS = 2;
  static final int ERRORS = 3;
  static final int COPIES = 4;
  static final int SUPER_PACKETS = 5;
  static final int COUNTERS = 6;

  private final SystemCalls calls = new SystemCalls();
  final QueueCounts counts = new QueueCounts(COUNTERS);
  private final String port;
  private final XdpSocket socket;
  private final Umem umem;
  private final PacketPools pools;
  private final int mark;

  private final int mtuBytes;

  /** Longest frame that the interface transmits. */
  private final int maxFrameBytes;

  /** 1, or more if frames may be in several chunks. */
  private final int maxSegments;

  private final ProducerRing tx;
  private final CompletionRing completion;
  private final AdaptiveSender sender;

  /** Null where they could leave in another order. */
  private final @Nullable SuperPacketSocket superPackets;

  /** What the kernel has completed. */
  private final AtomicLong completedPackets = new AtomicLong();

  private final AtomicLong completedBytes = new AtomicLong();

  private final MbufArray freshChunks = new MbufArray(MAX_SEGMENTS);
  private final long fresh = freshChunks.address();
  private final DropCounts refused = new DropCounts();

  /** What was put into the ring. */
  private long ringPackets;

  private long ringBytes;

  /** Bytes that left by the packet socket. */
  private long superPacketBytes;

  /** What was in the ring, or had been, when packets were given up; they may be sent yet. */
  private long decidedPackets;

  private long decidedBytes;

  /** What of that was not given up. */
  private long decidedSentPackets;

  private long decidedSentBytes;

  /** Whether the interface was removed. */
  private boolean isGone;

  /** Whether the interface was down at the last system call. */
  private boolean isDown;

  private boolean closed;

  XdpTxQueue(
      XdpPlan plan,
      String port,
      XdpSocket socket,
      Umem umem,
      PacketPools pools,
      CompletionRing completion,
      @Nullable SuperPacketSocket superPackets,
      int mark) {
    this.port = port;
    this.socket = socket;
    this.umem = umem;
    this.pools = pools;
    this.mark = mark;
    mtuBytes = plan.networkInterface().mtuBytes();
    maxFrameBytes = plan.maxFrameBytes();
    maxSegments = socket.hasSegments() ? MAX_SEGMENTS : 1;
    tx = socket.txRing();
    this.completion = completion;
    this.superPackets = superPackets;
    long drainNs = plan.config().drainUs() * 1_000L;
    int batch = Math.min(BATCH, tx.size() / 2);
    sender = new AdaptiveSender(this, plan.address().calls(), batch, drainNs);
  }

  @Override
  public int send(MbufArray packets, int from) {
    requireOpen();
    requireAlive();
    collect();
    long handles = packets.address();
    int end = packets.size();
    int at = from;
    int space = sender.reserve(end - from);
    int start = tx.written();
    int filled = 0;
    SuperPacketSocket past = superPackets;
    try {
      while (at < end) {
        long mbuf = Handles.get(handles, at);
        int lengthBytes = Mbuf.packetLength(mbuf);
        if (filled < space && isPlain(mbuf, lengthBytes)) {
          entry(mbuf, Mbuf.dataAddress(mbuf), lengthBytes, false);
          ringPackets++;
          ringBytes += lengthBytes;
          filled++;
        } else if (past != null && past.canSend(mbuf)) {
          int full = filled;
          filled = 0;
          start = tx.written();
          sender.commit(full, System.nanoTime());
          if (!sendSuperPacket(past, mbuf, lengthBytes)) {
            break;
          }
          space = sender.reserve(end - at);
        } else {
          int slots = slots(mbuf, lengthBytes);
          if (filled + slots > space) {
            space = sender.reserve(filled + slots); // More slots than packets.
          }
          if (filled + slots > space || !put(mbuf, slots)) {
            break;
          }
          filled += slots;
        }
        at++;
      }
    } catch (StackOverflowError e) {
      tx.truncate(start + filled); // The kernel gets no slot that is half written.
      sender.commit(filled, System.nanoTime());
      throw e;
    } catch (Throwable e) { // A packet cannot be read: the file that it is in became shorter.
      if (at == from) {
        throw e;
      } // Otherwise the next call says it, with nothing taken.
    }
    sender.commit(filled, System.nanoTime());
    publish();
    return at - from;
  }

  /** Sends a packet that the kernel cuts, behind all before it; false if it is not taken. */
  private boolean sendSuperPacket(SuperPacketSocket past, long mbuf, int lengthBytes) {
    drain();
    if (tx.pending() > 0) {
      if (!isDown) {
        return false;
      }
      refuse(DropReason.TX_LINK_DOWN, mbuf);
      freePacket(mbuf);
      return true;
    }
    long result = past.send(mbuf);
    counts.add(CALLS, 1);
    switch ((int) -result) {
      case Errno.EAGAIN, Errno.EINTR, Errno.ENOBUFS, Errno.ENOMEM -> {
        return false;
      }
      case Errno.ENXIO, Errno.ENODEV -> {
        isGone = true;
        refuse(DropReason.TX_ERROR, mbuf);
      }
      case Errno.ENETDOWN -> refuse(DropReason.TX_LINK_DOWN, mbuf);
      case Errno.EMSGSIZE -> refuse(DropReason.TX_TOO_LONG, mbuf);
      default -> {
        if (result < 0) {
          refuse(DropReason.TX_ERROR, mbuf);
        } else {
          counts.add(SUPER_PACKETS, 1);
          superPacketBytes += lengthBytes;
        }
      }
    }
    freePacket(mbuf);
    return true;
  }

  private void refuse(DropReason reason, long mbuf) {
    counts.add(ERRORS, 1);
    refused.addPacket(reason, mbuf);
  }

  @Override
  public int mtuBytes() {
    return mtuBytes;
  }

  @Override
  public boolean finishes(long mbuf) {
    return superPackets != null && superPackets.canSend(mbuf);
  }

  @Override
  public DropCounts refused() {
    return refused;
  }

  /** What the kernel has not completed: in flight on a device that sends later, or stopped. */
  @Override
  public int undecided() {
    return (int) (ringPackets - Math.max(decidedPackets, completedPackets.getAcquire()));
  }

  /** Whether it is one frame in one chunk. */
  private boolean isPlain(long mbuf, int lengthBytes) {
    return lengthBytes >= ETHERNET_BYTES
        && lengthBytes <= maxFrameBytes
        && Mbuf.dataLength(mbuf) == lengthBytes
        && Mbuf.next(mbuf) == 0
        && !Mbuf.isSuperPacket(mbuf)
        && umem.holds(mbuf, Mbuf.dataAddress(mbuf), lengthBytes);
  }

  /** Slots that a packet takes, 0 if it cannot be sent. */
  private int slots(long mbuf, int lengthBytes) {
    if (lengthBytes < ETHERNET_BYTES || lengthBytes > maxFrameBytes) {
      return 0;
    }
    int segments = Mbuf.segments(mbuf);
    if (segments <= maxSegments && holdsAll(mbuf)) {
      return segments;
    }
    int needed = Math.ceilDiv(lengthBytes, umem.roomBytes());
    return needed <= maxSegments ? needed : 0;
  }

  private boolean holdsAll(long mbuf) {
    for (long segment = mbuf; segment != 0; segment = Mbuf.next(segment)) {
      int lengthBytes = Mbuf.dataLength(segment);
      if (lengthBytes == 0 || !umem.holds(segment, Mbuf.dataAddress(segment), lengthBytes)) {
        return false;
      }
    }
    return true;
  }

  /** Puts a packet into the ring, or an end to it; false when there is no buffer for a copy. */
  private boolean put(long mbuf, int slots) {
    int lengthBytes = Mbuf.packetLength(mbuf);
    if (slots == 0) {
      refuse(lengthBytes < ETHERNET_BYTES ? DropReason.TX_TOO_SHORT : DropReason.TX_TOO_LONG, mbuf);
      freePacket(mbuf);
      return true;
    }
    if (slots == Mbuf.segments(mbuf) && holdsAll(mbuf)) {
      putAll(mbuf);
    } else if (allocate(slots)) {
      putCopy(mbuf);
      counts.add(COPIES, 1);
    } else {
      return false;
    }
    ringPackets++;
    ringBytes += lengthBytes;
    return true;
  }

  private void putAll(long mbuf) {
    for (long segment = mbuf; segment != 0; ) {
      long next = Mbuf.next(segment);
      Mbuf.next(segment, 0); // Each chunk is freed by itself.
      entry(segment, Mbuf.dataAddress(segment), Mbuf.dataLength(segment), next != 0);
      segment = next;
    }
  }

  private void entry(long mbuf, long dataAddress, int lengthBytes, boolean isContinued) {
    Umem.owner(mbuf, isContinued ? mark | Umem.CONTINUED : mark);
    long slot = tx.next();
    NativeMemory.u64(slot, dataAddress - umem.base());
    NativeMemory.u32(slot + 8, lengthBytes);
    NativeMemory.u32(slot + 12, isContinued ? XdpSocket.CONTINUED : 0);
  }

  private boolean allocate(int count) {
    if (umem.pool().allocate(fresh, count)) {
      return true;
    }
    umem.collect();
    return umem.pool().allocate(fresh, count);
  }

  /** Copies a packet into fresh chunks, and then frees it. */
  private void putCopy(long mbuf) {
    long copy = SegmentCopy.link(fresh, Mbuf.packetLength(mbuf), umem.roomBytes());
    try {
      SegmentCopy.between(mbuf, 0, copy, 0, Mbuf.packetLength(mbuf));
      MappedFileFault.settle(mbuf);
    } catch (Throwable e) {
      umem.pool().free(fresh, 1);
      throw e;
    }
    putAll(copy);
    freePacket(mbuf);
  }

  private void freePacket(long mbuf) {
    Handles.set(fresh, 0, mbuf);
    pools.free(fresh, 1);
  }

  @Override
  public void flush() {
    requireOpen();
    sender.flush();
    wake();
    collect();
    publish();
  }

  /**
   * What the kernel has completed is sent, but for what was given up before, and what left by the
   * packet socket.
   */
  private void publish() {
    long packets = Math.max(0, completedPackets.getAcquire() - decidedPackets);
    long bytes = Math.max(0, completedBytes.getAcquire() - decidedBytes);
    counts.set(PACKETS, decidedSentPackets + packets + counts.get(SUPER_PACKETS));
    counts.set(BYTES, decidedSentBytes + bytes + superPacketBytes);
    counts.publish();
  }

  @Override
  public void decide() {
    drain();
    giveUp();
  }

  // --- AdaptiveSender.Ring ---

  @Override
  public int free() {
    return tx.free();
  }

  /** Gives the kernel what was written, and calls it if it wants to be called. */
  @Override
  public int announce(int filled) {
    tx.publish();
    return filled - Math.min(filled, wake());
  }

  /**
   * Calls the kernel while it has frames, wants to be called and takes some. One call may send 32
   * frames only (TX_BATCH_SIZE of net/xdp/xsk.c), or fewer when the device has enough.
   *
   * @return frames that it leaves in the ring until it is called again
   */
  private int wake() {
    int before = tx.pending();
    int pending = before;
    while (pending > 0 && tx.needsWakeup()) {
      counts.add(CALLS, 1);
      long result = calls.wakeSender(socket.descriptor());
      isGone |= result == -Errno.ENXIO;
      isDown = result == -Errno.ENETDOWN;
      before = pending;
      pending = tx.pending();
      if (pending == before) {
        return pending; // Full for now, or down.
      }
    }
    return 0;
  }

  /** Frees what the kernel has sent, unless somebody else is at it. */
  void collect() {
    completion.collect();
  }

  /** Called by one thread at a time: that which collects. */
  void completed(int packets, long bytes) {
    completedBytes.setRelease(completedBytes.getPlain() + bytes);
    completedPackets.setRelease(completedPackets.getPlain() + packets);
  }

  /** Before anything is taken: what is in the ring is freed when the port is closed. */
  private void requireAlive() {
    if (isGone) {
      throw new PortException(
          "interface is gone: port=%s, queue=%d; open the port again when it is back, or set reopen=on"
              .formatted(port, socket.queue()));
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("port is closed: port=" + port + "; open another");
    }
  }

  /** Sends what is in the ring, as far as the kernel takes it. */
  void drain() {
    sender.drain();
    wake();
    collect();
    publish();
  }

  /** Whether the kernel still has frames to send. */
  boolean isBusy() {
    return undecided() > 0;
  }

  /** What the kernel has not sent is refused. The queue touches no ring any more. */
  void close() {
    closed = true;
    completion.close();
    if (superPackets != null) {
      superPackets.close();
    }
    publish();
    giveUp();
  }

  private void giveUp() {
    int packets = undecided();
    if (packets > 0) {
      decidedSentPackets = counts.get(PACKETS) - counts.get(SUPER_PACKETS);
      decidedSentBytes = counts.get(BYTES) - superPacketBytes;
      decidedPackets = ringPackets;
      decidedBytes = ringBytes;
      counts.add(ERRORS, packets);
      refused.add(isDown ? DropReason.TX_LINK_DOWN : DropReason.TX_ERROR, packets);
      counts.publish();
    }
  }
}
