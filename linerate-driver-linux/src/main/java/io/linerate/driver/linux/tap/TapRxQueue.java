package io.linerate.driver.linux.tap;

import static io.linerate.core.port.QueueCounts.BYTES;
import static io.linerate.core.port.QueueCounts.PACKETS;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Errno;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import io.linerate.driver.linux.IoVectors;
import io.linerate.driver.linux.VirtioHeader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Reads packet after packet: a tap device has no ring that could be mapped. A packet that is longer
 * than a frame of the device's MTU stands for several: what does not fit into the first buffer
 * comes into one or two large ones, in front of which there is room for what did.
 */
final class TapRxQueue implements RxQueue {
  static final int ERRORS = 2;
  static final int CALLS = 3;
  static final int CHECKSUMS = 4;
  static final int SUPER_PACKETS = 5;
  static final int COUNTERS = 6;

  /** Reads in vain until one is asked why: the device may be gone. */
  private static final int READS_PER_CHECK = 1_000;

  private final TapDevice device;
  private final int descriptor;
  private final BufferPool pool;
  private final BufferPool rests;
  private final SystemCalls calls = new SystemCalls();
  final QueueCounts counts = new QueueCounts(COUNTERS);
  private final MemorySegment spareSlot = Arena.ofAuto().allocate(8, 8);

  /** The buffer that the next packet is read into, so that looking in vain takes no lock. */
  private long spare;

  /** Those for the rest of it. */
  private long spareRest;

  private long spareEnd;

  private final VirtioHeader offloads = new VirtioHeader();
  private final MemorySegment header = Arena.ofAuto().allocate(VirtioHeader.BYTES, 8);
  private final IoVectors vectors = new IoVectors(4);

  private int readsInVain;
  private boolean closed;

  /**
   * @param rests buffers for what is longer than a frame
   */
  TapRxQueue(TapDevice device, int descriptor, BufferPool pool, BufferPool rests) {
    this.device = device;
    this.descriptor = descriptor;
    this.pool = pool;
    this.rests = rests;
    vectors.set(0, header.address(), VirtioHeader.BYTES);
  }

  @Override
  public int receive(MbufArray packets) {
    if (closed) {
      throw new IllegalStateException("port is closed: pool=" + pool.name() + "; open another");
    }
    int room = packets.room();
    long handles = packets.reserve(room);
    int count = 0;
    while (count < room && hasSpares()) {
      long bytes = read();
      if (bytes < 0) {
        break;
      }
      long mbuf = present((int) bytes);
      if (mbuf != 0) {
        Handles.set(handles, count++, mbuf);
      }
    }
    packets.extend(count, null);
    counts.add(PACKETS, count);
    counts.publish();
    return count;
  }

  @Override
  public int waitFor(Runnable wake) {
    counts.add(CALLS, 1);
    return closed ? CANNOT_TELL : descriptor;
  }

  @Override
  public boolean canWait() {
    return true;
  }

  private boolean hasSpares() {
    if (spare == 0 && pool.allocate(spareSlot.address(), 1)) {
      spare = Handles.get(spareSlot.address(), 0);
      vectors.set(1, Mbuf.dataAddress(spare), pool.roomBytes());
    }
    if (spareRest == 0) {
      spareRest = allocateRest(2);
    }
    if (spareEnd == 0) {
      spareEnd = allocateRest(3);
    }
    return spare != 0 && spareRest != 0 && spareEnd != 0;
  }

  private long allocateRest(int vector) {
    if (!rests.allocate(spareSlot.address(), 1)) {
      return 0;
    }
    long mbuf = Handles.get(spareSlot.address(), 0);
    vectors.set(vector, Mbuf.dataAddress(mbuf), rests.roomBytes());
    return mbuf;
  }

  /** Bytes of the frame that was read; negative if there is none. */
  private long read() {
    long bytes = calls.tryReadv(descriptor, vectors.address(0), vectors.capacity());
    counts.add(CALLS, 1);
    if (bytes < 0 && ++readsInVain >= READS_PER_CHECK) {
      bytes = checkedRead();
    }
    if (bytes < 0) {
      return bytes;
    }
    readsInVain = 0;
    return Math.max(0, bytes - VirtioHeader.BYTES);
  }

  private long checkedRead() {
    readsInVain = 0;
    long bytes = calls.readv(descriptor, vectors.address(0), vectors.capacity());
    counts.add(CALLS, 1);
    if (bytes < 0 && bytes != -Errno.EAGAIN && bytes != -Errno.EINTR && device.isGone()) {
      throw device.gone();
    }
    return bytes;
  }

  /**
   * Makes a packet of what was read.
   *
   * @return its handle, or 0 if it was longer than a frame and stands for no others, since somebody
   *     raised the MTU
   */
  private long present(int bytes) {
    long said = header.address();
    boolean isSuper = VirtioHeader.isSuperPacket(said);
    if (bytes >= pool.roomBytes() && !isSuper) {
      counts.add(ERRORS, 1);
      return 0;
    }
    long mbuf;
    if (bytes <= pool.roomBytes()) {
      mbuf = spare;
      spare = 0;
      Mbuf.dataLength(mbuf, bytes);
    } else {
      mbuf = join(bytes);
    }
    Mbuf.packetLength(mbuf, bytes);
    counts.add(BYTES, bytes);
    if (VirtioHeader.saysMore(said)) {
      offloads.apply(said, mbuf, 0);
      counts.add(CHECKSUMS, VirtioHeader.needsChecksum(said) ? 1 : 0);
      counts.add(SUPER_PACKETS, isSuper ? 1 : 0);
    }
    return mbuf;
  }

  /** A packet is of buffers of one pool: what is in the first is copied before the others. */
  private long join(int bytes) {
    long first = spareRest;
    spareRest = 0;
    int before = pool.roomBytes();
    int here = Math.min(bytes - before, rests.roomBytes());
    NativeMemory.copy(Mbuf.dataAddress(spare), Mbuf.dataAddress(first) - before, before);
    Mbuf.dataOffset(first, Mbuf.dataOffset(first) - before);
    Mbuf.dataLength(first, before + here);
    if (before + here < bytes) {
      Mbuf.dataLength(spareEnd, bytes - before - here);
      Mbuf.next(first, spareEnd);
      Mbuf.segments(first, 2);
      spareEnd = 0;
    }
    return first;
  }

  void close() {
    closed = true;
    free(spare, pool);
    free(spareRest, rests);
    free(spareEnd, rests);
    spare = 0;
    spareRest = 0;
    spareEnd = 0;
  }

  private void free(long mbuf, BufferPool from) {
    if (mbuf != 0) {
      Handles.set(spareSlot.address(), 0, mbuf);
      from.free(spareSlot.address(), 1);
    }
  }
}
