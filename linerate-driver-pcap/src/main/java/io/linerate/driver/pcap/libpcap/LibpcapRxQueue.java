package io.linerate.driver.pcap.libpcap;

import static io.linerate.core.port.QueueCounts.BYTES;
import static io.linerate.core.port.QueueCounts.PACKETS;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.PacketChains;
import io.linerate.core.driver.SegmentCopy;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.PortException;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import org.jspecify.annotations.Nullable;

/**
 * Copies packet after packet out of libpcap, which has no call that brings several without calling
 * back for each.
 */
final class LibpcapRxQueue implements RxQueue {
  static final int ERRORS = 2;
  static final int CUT = 3;
  static final int CALLS = 4;
  static final int COUNTERS = 5;

  // struct pcap_pkthdr: 0 seconds u64 | 8 their fraction u64 | 16 bytes here u32 | 20 on wire u32
  private static final int FRACTION_OFFSET = 8;
  private static final int LENGTH_OFFSET = 16;
  private static final int WIRE_LENGTH_OFFSET = 20;

  private static final int ETHERNET = LinkType.ETHERNET.number();

  private final LibpcapHandle handle;
  private final BufferPool pool;
  private final PacketChains chains;
  private final int nsPerTick;
  private final int linkType;
  private final int descriptor;
  final QueueCounts counts = new QueueCounts(COUNTERS);

  /** Libpcap has a packet that was not handed out. */
  private boolean pending;

  private volatile boolean exhausted;
  private @Nullable PortException failure;

  LibpcapRxQueue(LibpcapHandle handle, BufferPool pool) {
    this.handle = handle;
    this.pool = pool;
    chains = new PacketChains(() -> pool);
    nsPerTick = handle.nsPerTick();
    linkType = handle.linkType().number();
    descriptor = handle.descriptor();
  }

  @Override
  public boolean bringsSuperPackets() {
    return false;
  }

  @Override
  public int receive(MbufArray packets) {
    synchronized (handle) {
      if (!handle.isOpen()) {
        throw new IllegalStateException("port is closed: pool=" + pool.name() + "; open another");
      }
      int count = packets.room() > 0 && ready() ? receiveReady(packets) : 0;
      counts.publish();
      if (count == 0 && failure != null) {
        throw takeFailure(failure);
      }
      return count;
    }
  }

  /** A file has ended when it is damaged; an interface that has failed says it again. */
  private PortException takeFailure(PortException taken) {
    if (handle.isFile()) {
      failure = null;
      exhausted = true;
    }
    return taken;
  }

  /** Whether libpcap has a packet, after asking it for one if it has not. */
  private boolean ready() {
    while (!pending && !exhausted && failure == null) {
      if (!next()) {
        return false;
      }
      pending = SegmentCopy.buffers(length(), pool.roomBytes()) <= pool.capacity();
      counts.add(ERRORS, pending ? 0 : 1);
    }
    return pending;
  }

  private boolean next() {
    counts.add(CALLS, 1);
    try {
      boolean isThere = handle.next();
      exhausted = !isThere && handle.isFile();
      return isThere;
    } catch (PortException e) {
      failure = e;
      return false;
    }
  }

  private int length() {
    return NativeMemory.u32(handle.header() + LENGTH_OFFSET);
  }

  private int receiveReady(MbufArray packets) {
    return length() > pool.roomBytes() ? receiveLong(packets) : receiveShort(packets);
  }

  private int receiveShort(MbufArray packets) {
    int room = packets.room();
    long handles = packets.reserve(room);
    int wanted = pool.allocateUpTo(handles, room, 0);
    long bytesBefore = counts.get(BYTES);
    int count = 0;
    while (count < wanted && ready() && length() <= pool.roomBytes()) {
      long mbuf = Handles.get(handles, count);
      NativeMemory.copy(handle.data(), Mbuf.dataAddress(mbuf), length());
      Mbuf.dataLength(mbuf, length());
      Mbuf.packetLength(mbuf, length());
      finish(mbuf);
      count++;
    }
    if (count < wanted) {
      pool.free(Handles.address(handles, count), wanted - count);
    }
    packets.extend(count, pool, counts.get(BYTES) - bytesBefore);
    return count;
  }

  /** A packet longer than a buffer. */
  private int receiveLong(MbufArray packets) {
    long mbuf = chains.make(length());
    if (mbuf == 0) {
      return 0; // Not enough buffers are free yet.
    }
    SegmentCopy.write(mbuf, 0, NativeMemory.ALL, handle.data(), length());
    finish(mbuf);
    packets.append(mbuf, pool);
    return 1;
  }

  private void finish(long mbuf) {
    long header = handle.header();
    long fraction = NativeMemory.u64(header + FRACTION_OFFSET);
    Mbuf.timestampNs(mbuf, NativeMemory.u64(header) * 1_000_000_000L + fraction * nsPerTick);
    if (linkType != ETHERNET) {
      Mbuf.linkType(mbuf, linkType);
    }
    int cutBytes = NativeMemory.u32(header + WIRE_LENGTH_OFFSET) - length();
    if (cutBytes > 0) {
      Mbuf.cutBytes(mbuf, cutBytes);
    }
    counts.add(PACKETS, 1);
    counts.add(BYTES, length());
    counts.add(CUT, cutBytes == 0 ? 0 : 1);
    pending = false;
  }

  @Override
  public boolean exhausted() {
    return exhausted;
  }

  @Override
  public boolean canWait() {
    return descriptor >= 0;
  }

  @Override
  public int waitFor(Runnable wake) {
    synchronized (handle) {
      return pending ? HAS_PACKETS : handle.isOpen() && canWait() ? descriptor : CANNOT_TELL;
    }
  }
}
