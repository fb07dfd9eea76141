package io.linerate.driver.linux.xdp;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.port.PortException;
import java.lang.foreign.Arena;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * The packet memory that all {@code xdp:} ports of an engine share with the kernel: a frame that
 * one port received another sends from where it lies.
 *
 * <p>It is divided into chunks of one size, a power of two. The header stands in the chunk of its
 * frame, so that a handle and the kernel's address, which counts from the first chunk, are one
 * subtraction apart:
 *
 * <pre>
 *   0             128                          384                                2048 or 4096
 *  +-------------+----------------------------+---------------------------------+
 *  | Mbuf header | headroom, 256              | frame                           |
 *  +-------------+----------------------------+---------------------------------+
 *    = headroom     XDP_PACKET_HEADROOM of       where the kernel puts what it receives
 *    of the UMEM    linux/bpf.h
 * </pre>
 *
 * <p>A chunk is the kernel's from when it is put into a fill or transmit ring until it comes out of
 * a receive or completion ring. As long, the header's {@code port} field names the socket, 0
 * otherwise: so what the kernel holds when a socket is closed is freed too.
 */
final class Umem {
  static final int HEADROOM_BYTES = 256;

  /** Set in the mark of a chunk that is to be sent if the packet goes on in another. */
  static final int CONTINUED = 1 << 15;

  private static final int SMALL_CHUNK_BYTES = 2_048;
  private static final int LARGE_CHUNK_BYTES = 4_096;
  private static final int SWEEP = 256;

  private final BufferPool pool;
  private final long base;
  private final long sizeBytes;
  private final int chunkBytes;

  // An array: the iterator of a list is an object until the code is compiled.
  private volatile XdpTxQueue[] senders = new XdpTxQueue[0];
  private int reserved;
  private final BitSet marks = new BitSet();

  private Umem(BufferPool pool, int chunkBytes) {
    this.pool = pool;
    this.chunkBytes = chunkBytes;
    base = pool.address();
    sizeBytes = (long) chunkBytes * pool.capacity();
  }

  /**
   * @param frameBytes the longest frame that should fit one chunk, if any chunk is so large
   */
  static Umem create(PacketPools pools, int buffers, int frameBytes) {
    int chunkBytes =
        frameBytes <= roomBytes(SMALL_CHUNK_BYTES) ? SMALL_CHUNK_BYTES : LARGE_CHUNK_BYTES;
    // The kernel takes whole pages.
    int even = (buffers + 1) & -2;
    return new Umem(pools.create("xdp", even, HEADROOM_BYTES, roomBytes(chunkBytes)), chunkBytes);
  }

  private static int roomBytes(int chunkBytes) {
    return chunkBytes - Mbuf.HEADER_BYTES - HEADROOM_BYTES;
  }

  BufferPool pool() {
    return pool;
  }

  long base() {
    return base;
  }

  long sizeBytes() {
    return sizeBytes;
  }

  int chunkBytes() {
    return chunkBytes;
  }

  /** Bytes of a frame in one chunk. */
  int roomBytes() {
    return roomBytes(chunkBytes);
  }

  /** The packet whose chunk the kernel's address is in. */
  long mbuf(long kernelAddress) {
    return base + (kernelAddress & -(long) chunkBytes);
  }

  /** Whether a packet's segment lies in this memory, all of it in the chunk of its header. */
  boolean holds(long mbuf, long dataAddress, int lengthBytes) {
    long offset = dataAddress - mbuf;
    return mbuf >= base
        && mbuf < base + sizeBytes
        && offset >= Mbuf.HEADER_BYTES
        && offset + lengthBytes <= chunkBytes;
  }

  /** Says whose a chunk is: a socket's mark, or 0 for the program's. */
  static void owner(long mbuf, int mark) {
    NativeMemory.u16(mbuf + Mbuf.PORT_OFFSET, mark);
  }

  /** Whose a chunk is: as {@link #owner(long, int)} says it, without {@link #CONTINUED}. */
  static int owner(long mbuf) {
    return NativeMemory.u16(mbuf + Mbuf.PORT_OFFSET) & ~CONTINUED;
  }

  /** Whether a chunk that was to be sent is not the last of its packet. */
  static boolean isContinued(long mbuf) {
    return (NativeMemory.u16(mbuf + Mbuf.PORT_OFFSET) & CONTINUED) != 0;
  }

  /** A mark for one more socket. */
  synchronized int nextMark() {
    int mark = marks.nextClearBit(1);
    marks.set(mark);
    return mark;
  }

  /**
   * Sets buffers aside for a port's rings, so that none can take all.
   *
   * @throws PortException if there are not so many left
   */
  synchronized void reserve(String port, int buffers) {
    if (reserved + buffers > pool.capacity()) {
      throw new PortException(
          "too few packet buffers for the rings of all xdp: ports: port=%s, buffers=%d, needed=%d; set buffers=%d, fewer queues or fewer descriptors"
              .formatted(port, pool.capacity(), reserved + buffers, reserved + buffers));
    }
    reserved += buffers;
  }

  /** Buffers that no port's rings have. */
  synchronized int unreserved() {
    return pool.capacity() - reserved;
  }

  synchronized void unreserve(int buffers) {
    reserved -= buffers;
  }

  /** Whoever has no buffer left may free what these queues have sent. */
  synchronized void addSenders(List<XdpTxQueue> queues) {
    senders = Stream.concat(Stream.of(senders), queues.stream()).toArray(XdpTxQueue[]::new);
  }

  synchronized void removeSenders(List<XdpTxQueue> queues) {
    senders =
        Stream.of(senders).filter(queue -> !queues.contains(queue)).toArray(XdpTxQueue[]::new);
  }

  /** Frees what any port has sent: for a queue that finds the pool empty. */
  void collect() {
    for (XdpTxQueue sender : senders) {
      sender.collect();
    }
  }

  /** Frees all chunks that the socket with this mark still held. It must be closed. */
  synchronized void reclaim(int mark) {
    marks.clear(mark);
    try (Arena arena = Arena.ofConfined()) {
      long handles = arena.allocate(8L * SWEEP, 8).address();
      int count = 0;
      for (long mbuf = base; mbuf < base + sizeBytes; mbuf += chunkBytes) {
        if (owner(mbuf) == mark) {
          owner(mbuf, 0);
          Mbuf.next(mbuf, 0);
          Handles.set(handles, count++, mbuf);
        }
        if (count == SWEEP) {
          pool.free(handles, count);
          count = 0;
        }
      }
      pool.free(handles, count);
    }
  }
}
