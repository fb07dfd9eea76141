package io.linerate.testkit;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.driver.SegmentCopy;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Packets for tests, made of bytes. Room that no byte of the packet occupies is filled with 0xA5,
 * so that a read outside the packet shows. Closing checks that every buffer is free.
 */
public final class Packets implements AutoCloseable {
  public static final int HEADROOM_BYTES = 128;
  public static final int ROOM_BYTES = 2_048;

  private static final byte FILL = (byte) 0xA5;

  private final PacketPools pools = new PacketPools();
  private final BufferPool pool;
  private final OwnedBurst burst;
  private final FreeBuffer freeBuffer;

  public Packets() {
    this(64);
  }

  public Packets(int capacity) {
    pool = pools.create("test", capacity, HEADROOM_BYTES, ROOM_BYTES);
    burst = new OwnedBurst(new MbufArray(Math.min(capacity, 0xFFFF)));
    freeBuffer = new FreeBuffer(pools, 1);
  }

  public PacketPools pools() {
    return pools;
  }

  public BufferPool pool() {
    return pool;
  }

  /** The burst that holds the packets made last. */
  public Burst burst() {
    return burst.burst();
  }

  /** The same for its owner. */
  public OwnedBurst owned() {
    return burst;
  }

  /** A packet of one segment, if its buffer has room; the one made before is freed. */
  public Packet of(byte[] bytes) {
    clear();
    return append(bytes);
  }

  /**
   * A packet of several segments; the one made before is freed.
   *
   * @param segmentBytes length of each segment; their sum is the length of {@code bytes}
   */
  public Packet ofSegments(byte[] bytes, int... segmentBytes) {
    clear();
    return append(bytes, segmentBytes);
  }

  /** A further packet in the burst. */
  public Packet append(byte[] bytes) {
    int[] segmentBytes = new int[SegmentCopy.buffers(bytes.length, ROOM_BYTES)];
    Arrays.setAll(segmentBytes, i -> Math.min(ROOM_BYTES, bytes.length - i * ROOM_BYTES));
    return append(bytes, segmentBytes);
  }

  /**
   * A further packet of two segments in the burst.
   *
   * @param firstBytes length of the first, 0 to {@code bytes.length}
   */
  public Packet append(byte[] bytes, int firstBytes) {
    return append(bytes, new int[] {firstBytes, bytes.length - firstBytes});
  }

  private Packet append(byte[] bytes, int[] segmentBytes) {
    if (Arrays.stream(segmentBytes).sum() != bytes.length) {
      throw new IllegalArgumentException("segments do not add up: bytes=" + bytes.length);
    }
    int start = burst.size();
    if (!pool.allocate(burst.array(), 1)) {
      throw new IllegalStateException("no buffer is free: pool=" + pool.name());
    }
    long mbuf = burst.handle(start);
    long last = mbuf;
    int done = 0;
    try (var arena = Arena.ofConfined()) {
      MemorySegment one = arena.allocate(8);
      for (int i = 0; i < segmentBytes.length; i++) {
        if (i > 0) {
          if (!pool.allocate(one.address(), 1)) {
            throw new IllegalStateException("no buffer is free: pool=" + pool.name());
          }
          long next = Handles.get(one.address(), 0);
          Mbuf.next(last, next);
          last = next;
        }
        fill(last, bytes, done, segmentBytes[i]);
        done += segmentBytes[i];
      }
    }
    Mbuf.packetLength(mbuf, bytes.length);
    Mbuf.segments(mbuf, segmentBytes.length);
    return burst.packet(start);
  }

  @SuppressWarnings("restricted")
  private static void fill(long mbuf, byte[] bytes, int from, int count) {
    MemorySegment buffer =
        MemorySegment.ofAddress(Mbuf.bufferAddress(mbuf)).reinterpret(Mbuf.bufferLength(mbuf));
    buffer.fill(FILL);
    MemorySegment.copy(MemorySegment.ofArray(bytes), from, buffer, Mbuf.dataOffset(mbuf), count);
    Mbuf.dataLength(mbuf, count);
  }

  /** Frees the packets. */
  public void clear() {
    burst.finish(freeBuffer);
  }

  @Override
  public void close() {
    clear();
    if (!pools.close().isEmpty()) {
      throw new IllegalStateException(
          "buffers are missing from their pool: capacity="
              + pool.capacity()
              + ", available="
              + pool.available());
    }
  }
}
