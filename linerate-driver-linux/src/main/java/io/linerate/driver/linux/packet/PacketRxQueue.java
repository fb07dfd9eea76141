package io.linerate.driver.linux.packet;

import static io.linerate.core.port.QueueCounts.BYTES;
import static io.linerate.core.port.QueueCounts.PACKETS;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.PacketChains;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import io.linerate.driver.linux.AdaptiveReceiver;
import io.linerate.driver.linux.VirtioHeader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Hands out the packets of a receive ring where the kernel put them. A packet's headroom is its
 * header in the ring, which was read before and is needed no more, and what was reserved.
 *
 * <p>A block of the ring goes back to the kernel when its last packet is free. A program that holds
 * a packet until half of the ring has passed shows that it stores packets: from then on they are
 * copied out of the ring, so that none that is stored holds the ring up.
 */
final class PacketRxQueue implements RxQueue, AdaptiveReceiver.Ring {
  static final int ERRORS = 2;
  static final int CALLS = 3;
  static final int CHECKSUMS = 4;
  static final int TAGS = 5;
  static final int SUPER_PACKETS = 6;
  static final int COPIED = 7;
  static final int COUNTERS = 8;

  /** Packets taken before blocks are given back. */
  private static final int THRESHOLD = 256;

  /** A longer frame is presented in two segments, since the length of one is a u16. */
  private static final int FIRST_SEGMENT_BYTES = 32_768;

  private static final int EMPTY_ROUNDS_PER_CLOCK_READ = 64;
  private static final long CHECK_INTERVAL_NS = 250_000_000;

  private final PacketSocket socket;
  private final RxRing ring;
  private final BufferPool headers;
  private final BufferPool copiesPool;
  private final PacketChains copies;
  private final HeldBlocks held;
  private final AdaptiveReceiver receiver = new AdaptiveReceiver(this, THRESHOLD);
  final QueueCounts counts = new QueueCounts(COUNTERS);

  /** One handle more. */
  private final MemorySegment extra = Arena.ofAuto().allocate(8, 8);

  private final VirtioHeader offloads = new VirtioHeader();

  /** A copy of what the kernel says of a packet: a VLAN tag is restored over the original. */
  private final MemorySegment said = Arena.ofAuto().allocate(VirtioHeader.BYTES, 8);

  /** Whether packets are copied out of the ring, because the program stores them. */
  private boolean isCopying;

  /** The block that packets are taken from, or were last. */
  private int block = -1;

  private boolean isOpen;
  private long nextPacket;

  /** Packets taken from the ring and not handed out for want of headers or room. */
  private int unread;

  private int emptyRounds;
  private long lastCheckNs = System.nanoTime();
  private boolean closed;

  PacketRxQueue(PacketSocket socket, RxRing ring, BufferPool headers, BufferPool copies) {
    this.socket = socket;
    this.ring = ring;
    this.headers = headers;
    copiesPool = copies;
    this.copies = new PacketChains(() -> copies);
    held = new HeldBlocks(ring, headers);
  }

  @Override
  public int receive(MbufArray packets) {
    if (closed) {
      throw new IllegalStateException("port is closed: pool=" + headers.name() + "; open another");
    }
    int room = packets.room();
    if (unread == 0) {
      unread = receiver.take(room);
    }
    if (unread == 0 || room == 0) {
      checkAtTimes();
      return 0;
    }
    int count = receive(packets, Math.min(unread, room));
    counts.publish();
    return count;
  }

  private int receive(MbufArray packets, int room) {
    long handles = packets.reserve(room);
    int wanted = headers.allocateUpTo(handles, room, block);
    long bytesBefore = counts.get(BYTES);
    int count = 0;
    for (int i = 0; i < wanted; i++) {
      long packet = nextPacket;
      nextPacket += NativeMemory.u32(packet + RxRing.NEXT_OFFSET);
      count += present(packet, Handles.get(handles, count)) ? 1 : 0;
    }
    unread -= wanted;
    if (count < wanted) {
      headers.free(Handles.address(handles, count), wanted - count);
    }
    counts.add(PACKETS, count);
    if (isCopying) {
      copyOut(handles, count);
      packets.extend(count, null);
    } else {
      packets.extend(count, headers, counts.get(BYTES) - bytesBefore);
    }
    return count;
  }

  /**
   * Points a header at a packet.
   *
   * @return whether the packet is whole
   */
  private boolean present(long packet, long mbuf) {
    int length = NativeMemory.u32(packet + RxRing.LENGTH_HERE);
    int status = NativeMemory.u32(packet + RxRing.STATUS);
    long frame = packet + NativeMemory.u16(packet + RxRing.FRAME_OFFSET);
    if (length != NativeMemory.u32(packet + RxRing.LENGTH_ON_WIRE)) {
      counts.add(ERRORS, 1);
      return false;
    }
    long receivedNs =
        Integer.toUnsignedLong(NativeMemory.u32(packet + RxRing.SECONDS)) * 1_000_000_000L
            + NativeMemory.u32(packet + RxRing.NANOSECONDS);
    long header = frame - VirtioHeader.BYTES;
    boolean hasOffloads = VirtioHeader.saysMore(header);
    if (hasOffloads) {
      NativeMemory.copy(header, said.address(), VirtioHeader.BYTES);
    }
    if ((status & RxRing.VLAN_VALID) != 0) {
      frame = FrameRepair.restoreTag(packet, frame, status);
      length += FrameRepair.TAG_BYTES;
      counts.add(TAGS, 1);
    }
    int headroom = (int) (frame - packet);
    counts.add(BYTES, length);
    Mbuf.timestampNs(mbuf, receivedNs);
    Mbuf.packetLength(mbuf, length);
    Mbuf.dataOffset(mbuf, headroom);
    if (headroom + length > Mbuf.MAX_SEGMENT_BYTES) {
      if (!presentLong(packet, frame, length, mbuf)) {
        return false;
      }
    } else {
      Mbuf.buffer(mbuf, packet, headroom + length);
      Mbuf.dataLength(mbuf, length);
    }
    if (hasOffloads) {
      int moved = (status & RxRing.VLAN_VALID) != 0 ? FrameRepair.TAG_BYTES : 0;
      offloads.apply(said.address(), mbuf, moved);
      counts.add(SUPER_PACKETS, VirtioHeader.isSuperPacket(said.address()) ? 1 : 0);
      counts.add(CHECKSUMS, VirtioHeader.needsChecksum(said.address()) ? 1 : 0);
    }
    return true;
  }

  /** Up to 64 KiB and a header in two segments. */
  private boolean presentLong(long packet, long frame, int length, long mbuf) {
    int rest = length - FIRST_SEGMENT_BYTES;
    if (rest > Mbuf.MAX_SEGMENT_BYTES || !headers.allocate(extra.address(), 1, block)) {
      counts.add(ERRORS, 1);
      counts.add(BYTES, -length);
      return false;
    }
    long second = Handles.get(extra.address(), 0);
    Mbuf.buffer(mbuf, packet, (int) (frame - packet) + FIRST_SEGMENT_BYTES);
    Mbuf.dataLength(mbuf, FIRST_SEGMENT_BYTES);
    Mbuf.segments(mbuf, 2);
    Mbuf.next(mbuf, second);
    Mbuf.buffer(second, frame + FIRST_SEGMENT_BYTES, rest);
    Mbuf.dataLength(second, rest);
    return true;
  }

  /** Copies packets into buffers of their own, so that their block goes back. */
  private void copyOut(long handles, int count) {
    for (int i = 0; i < count; i++) {
      long mbuf = Handles.get(handles, i);
      long copy = copies.copy(mbuf);
      if (copy == 0) {
        continue;
      }
      Handles.set(handles, i, copy);
      Handles.set(extra.address(), 0, mbuf);
      headers.free(extra.address(), 1);
      counts.add(COPIED, 1);
    }
  }

  /** The packets of the block that is open; those of others would take a look at each. */
  @Override
  public int waiting() {
    return unread + receiver.available();
  }

  /**
   * The socket, unless a block is not free: the kernel says that there is something to read as long
   * as the program has the block before the one that it fills.
   */
  @Override
  public int waitFor(Runnable wake) {
    if (closed || waiting() > 0) {
      return HAS_PACKETS;
    }
    endBlock();
    counts.add(CALLS, 1);
    return held.isEmpty() ? socket.descriptor() : CANNOT_TELL;
  }

  @Override
  public boolean canWait() {
    return true;
  }

  private void checkAtTimes() {
    if (++emptyRounds < EMPTY_ROUNDS_PER_CLOCK_READ) {
      return;
    }
    emptyRounds = 0;
    long now = System.nanoTime();
    if (now - lastCheckNs >= CHECK_INTERVAL_NS) {
      lastCheckNs = now;
      counts.add(CALLS, 1);
      if (socket.isGone()) {
        throw socket.gone();
      }
    }
  }

  // --- the ring of algorithm 2 ---

  /** Packets of the next block, if the kernel has handed it over. */
  @Override
  public int available() {
    endBlock();
    int next = block + 1 == ring.blocks() ? 0 : block + 1;
    if (held.holds(next) || !ring.isReady(next)) {
      return 0;
    }
    block = next;
    isOpen = true;
    isCopying |= held.lag(next) >= ring.blocks() / 2;
    nextPacket = ring.firstPacket(next);
    return ring.packets(next);
  }

  /** All packets of the open block were handed out: blocks go back that nobody looks into. */
  private void endBlock() {
    if (isOpen) {
      held.hold(block);
      isOpen = false;
    }
    held.release();
  }

  @Override
  public void giveBack(int taken) {
    held.release();
  }

  /** Whether no packet lies in the ring any more. */
  boolean isHome() {
    return headers.available() == headers.capacity();
  }

  RxRing ring() {
    return ring;
  }

  PacketSocket socket() {
    return socket;
  }

  /** Another queue of this name may have its pools. */
  void releasePools(PacketPools pools) {
    pools.release(headers);
    pools.release(copiesPool);
  }

  /** Nothing can be received any more. */
  void close() {
    closed = true;
    socket.refuseAll();
    socket.close();
  }
}
