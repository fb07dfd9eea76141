package io.linerate.core.driver;

import java.util.Objects;

/**
 * A pool of buffers in plain native memory, for ports that bring none of their own.
 *
 * <p>Each buffer is a {@link Mbuf} header, headroom and room for data, next to each other. With
 * {@code roomBytes} 0 there are only headers, and the driver points each at bytes that lie
 * elsewhere, such as a mapped file. A driver that must know when nobody looks at such bytes any
 * more divides them into regions: the pool counts the packets of each that are not free.
 *
 * <p>A lock guards the stack of free buffers: it is taken once for a burst, not once for a packet.
 * Workers with a pool each share no cache line that one of them writes.
 */
public final class BufferPool implements PacketPool {
  /** Longs that keep what is written often away from its neighbours in memory: 128 bytes. */
  private static final int APART = 16;

  private static final int AVAILABLE = APART;

  private static final int UNUSED = AVAILABLE + 1;

  /** Of region 0. */
  private static final int AWAY = UNUSED + 1;

  private final String name;
  private final int id;
  private final int headroomBytes;
  private final int roomBytes;
  private final ZeroedMemory memory;
  private final long address;
  private final int strideBytes;
  private final int capacity;

  /**
   * Those that are free, the one that leaves next last. The first ones were never taken, and are
   * not written here either: to ready all at the start took 20 ms of it.
   */
  private final long[] free;

  /** Regions that are counted, 0 when nobody wants to know. */
  private final int regions;

  /**
   * The lock, and what else changes with each burst: the number of free buffers, of those that were
   * never taken, and for each region the packets that are not free.
   */
  private final long[] state;

  private boolean closed;

  BufferPool(String name, int id, int capacity, int headroomBytes, int roomBytes, int regions) {
    if (capacity <= 0
        || headroomBytes < 0
        || roomBytes < 0
        || (long) headroomBytes + roomBytes > Mbuf.MAX_SEGMENT_BYTES) {
      throw new IllegalArgumentException(
          "pool has bad sizes: name=%s, capacity=%d, headroomBytes=%d, roomBytes=%d; capacity is at least 1, and headroom and room together at most %d"
              .formatted(name, capacity, headroomBytes, roomBytes, Mbuf.MAX_SEGMENT_BYTES));
    }
    this.name = name;
    this.headroomBytes = headroomBytes;
    this.roomBytes = roomBytes;
    this.capacity = capacity;
    this.regions = regions;
    state = new long[AWAY + regions + APART];
    free = new long[capacity + APART];
    int bufferBytes = headroomBytes + roomBytes;
    strideBytes = (Mbuf.HEADER_BYTES + bufferBytes + 63) & -64;
    memory = new ZeroedMemory((long) strideBytes * capacity, roomBytes > 0);
    address = memory.address();
    this.id = id;
    state[AVAILABLE] = capacity;
    state[UNUSED] = capacity;
  }

  /** Readies buffers that were never taken, until so many are left that were not. */
  private void ready(int unused) {
    for (int i = (int) state[UNUSED] - 1; i >= unused; i--) {
      long mbuf = address + (long) strideBytes * (capacity - 1 - i);
      Mbuf.buffer(mbuf, mbuf + Mbuf.HEADER_BYTES, headroomBytes + roomBytes);
      Mbuf.pool(mbuf, id);
      free[i] = mbuf;
    }
    state[UNUSED] = unused;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public int available() {
    synchronized (state) {
      return (int) state[AVAILABLE];
    }
  }

  @Override
  public int headroomBytes() {
    return headroomBytes;
  }

  @Override
  public int roomBytes() {
    return roomBytes;
  }

  /**
   * Address of the first buffer: of its header. The others follow, each {@link #strideBytes} on.
   */
  public long address() {
    return address;
  }

  /** Bytes from one buffer to the next: header, headroom and room, rounded up to 64. */
  public int strideBytes() {
    return strideBytes;
  }

  @Override
  public boolean allocate(MbufArray packets, int count) {
    long handles = packets.reserve(count);
    if (!allocate(handles, count)) {
      return false;
    }
    packets.extend(count, this);
    return true;
  }

  /**
   * Writes {@code count} handles of empty packets to the array at {@code handles}, all or none.
   *
   * @throws IllegalStateException if this pool is closed
   */
  public boolean allocate(long handles, int count) {
    return allocate(handles, count, 0);
  }

  /**
   * As {@link #allocate(long, int)}, for packets whose bytes lie in region {@code region} of a pool
   * with regions.
   */
  public boolean allocate(long handles, int count, int region) {
    Objects.checkIndex(region, Math.max(1, regions));
    synchronized (state) {
      requireOpen();
      int available = (int) state[AVAILABLE];
      if (available < count) {
        return false;
      }
      if (available - count < state[UNUSED]) {
        ready(available - count);
      }
      if (regions > 0) {
        state[AWAY + region] += count;
      }
      for (int i = 0; i < count; i++) {
        Handles.set(handles, i, free[--available]);
      }
      state[AVAILABLE] = available;
    }
    for (int i = 0; i < count; i++) {
      Mbuf.reset(Handles.get(handles, i), headroomBytes);
    }
    if (regions > 0) {
      for (int i = 0; i < count; i++) {
        Mbuf.region(Handles.get(handles, i), region);
      }
    }
    return true;
  }

  /** As {@link #allocate(long, int, int)}, as many as there are; returns their number. */
  public int allocateUpTo(long handles, int most, int region) {
    int count = most;
    while (count > 0 && !allocate(handles, count, region)) {
      count = Math.min(count - 1, available());
    }
    return count;
  }

  /** Packets of a region that are not free. What is in the region belongs to them. */
  public int away(int region) {
    Objects.checkIndex(region, regions);
    synchronized (state) {
      return (int) state[AWAY + region];
    }
  }

  @Override
  public void free(long handles, int count) {
    synchronized (state) {
      requireOpen();
      int available = (int) state[AVAILABLE];
      for (int i = 0; i < count; i++) {
        for (long mbuf = Handles.get(handles, i); mbuf != 0; mbuf = Mbuf.next(mbuf)) {
          if (available == capacity) {
            state[AVAILABLE] = available;
            throw new IllegalStateException("more buffers were freed than taken: pool=" + name);
          }
          free[available++] = mbuf;
          if (regions > 0) {
            state[AWAY + Mbuf.region(mbuf)]--;
          }
        }
      }
      state[AVAILABLE] = available;
    }
  }

  boolean isLike(
      String otherName,
      int otherCapacity,
      int otherHeadroomBytes,
      int otherRoomBytes,
      int otherRegions) {
    return name.equals(otherName)
        && capacity == otherCapacity
        && headroomBytes == otherHeadroomBytes
        && roomBytes == otherRoomBytes
        && regions == otherRegions;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(
          "pool is closed: pool=" + name + "; use it while its engine is open");
    }
  }

  /**
   * Gives the memory back if no buffer is away, and says whether it did. No buffer leaves the pool
   * afterwards.
   */
  boolean closeIfWhole() {
    synchronized (state) {
      if (closed || state[AVAILABLE] < capacity) {
        return closed;
      }
      closed = true;
      memory.close();
      return true;
    }
  }
}
