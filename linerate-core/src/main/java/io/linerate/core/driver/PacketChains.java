package io.linerate.core.driver;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes packets of given lengths, and copies of packets, in buffers of one pool: of one segment
 * where that suffices. One thread's own.
 */
public final class PacketChains {
  private static final int MAX_SEGMENTS = 256;
  private static final int HEADROOM_BYTES = 128;
  private static final int ROOM_BYTES = 2_048;

  private final Supplier<? extends PacketPool> pools;
  private final MbufArray fresh = new MbufArray(MAX_SEGMENTS);
  private @Nullable PacketPool pool;

  /**
   * @param pools asked once, for the first packet
   */
  public PacketChains(Supplier<? extends PacketPool> pools) {
    this.pools = pools;
  }

  /** Makes a pool of its own. */
  public PacketChains(PacketPools pools, String name, int capacity) {
    BufferPool own = newPool(pools, name, capacity);
    this(() -> own);
  }

  /** Makes a pool of such buffers as those of {@link #PacketChains(PacketPools, String, int)}. */
  public static BufferPool newPool(PacketPools pools, String name, int capacity) {
    return pools.create(name, capacity, HEADROOM_BYTES, ROOM_BYTES);
  }

  /**
   * Makes a packet, whose bytes are what the buffers had before.
   *
   * @return its handle, or 0 when there are not enough buffers
   */
  public long make(int lengthBytes) {
    PacketPool from = pool();
    int count = SegmentCopy.buffers(lengthBytes, from.roomBytes());
    if (count > MAX_SEGMENTS || !from.allocate(fresh, count)) {
      return 0;
    }
    fresh.clear();
    return SegmentCopy.link(fresh.address(), lengthBytes, from.roomBytes());
  }

  /** A copy with the same bytes and metadata, or 0 when there are not enough buffers for it. */
  public long copy(long original) {
    long copy = make(Mbuf.packetLength(original));
    if (copy == 0) {
      return 0;
    }
    try {
      SegmentCopy.between(original, 0, copy, 0, Mbuf.packetLength(original));
      MappedFileFault.settle(original);
    } catch (Throwable e) { // The file that the packet is in became shorter.
      free(copy);
      throw e;
    }
    Mbuf.copyMetadata(original, copy);
    return copy;
  }

  /** Frees a packet of its own. */
  void free(long mbuf) {
    Handles.set(fresh.address(), 0, mbuf);
    pool().free(fresh.address(), 1);
  }

  /** The pool that the buffers are of. */
  public PacketPool pool() {
    PacketPool known = pool;
    if (known == null) {
      known = pools.get();
      pool = known;
    }
    return known;
  }
}
