package io.linerate.core.driver;

import io.linerate.core.config.ConfigException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pools of one engine: finds the pool of a packet, so that a worker can free what others made.
 *
 * <p>Linerate's own pools get small ids, which stand in the header's {@code pool} field. Any other
 * value there is the address of a foreign pool, which the one registered foreign memory system
 * (DPDK's) frees.
 */
public final class PacketPools {
  private volatile BufferPool[] pools = new BufferPool[0];
  private final List<BufferPool> released = new ArrayList<>(); // Guarded by this.
  private volatile @Nullable PacketPool foreign;

  /**
   * Makes a pool, whose packets this registry can free from then on. The first buffer begins at a
   * page, so that the memory can be registered with a device.
   *
   * @throws ConfigException if the kernel does not give the memory
   */
  public BufferPool create(String name, int capacity, int headroomBytes, int roomBytes) {
    return create(name, capacity, headroomBytes, roomBytes, 0);
  }

  /**
   * Makes a pool of headers for packets whose bytes lie in memory of the driver's own, which is
   * divided into regions.
   *
   * @param regions at most 65,536; the pool counts which of them packets still lie in
   */
  public BufferPool createHeaders(String name, int capacity, int regions) {
    return create(name, capacity, 0, 0, regions);
  }

  private synchronized BufferPool create(
      String name, int capacity, int headroomBytes, int roomBytes, int regions) {
    for (BufferPool pool : released) {
      if (pool.isLike(name, capacity, headroomBytes, roomBytes, regions)
          && pool.available() == capacity) {
        released.remove(pool);
        return pool;
      }
    }
    int id = pools.length + 1;
    BufferPool pool = new BufferPool(name, id, capacity, headroomBytes, roomBytes, regions);
    BufferPool[] grown = Arrays.copyOf(pools, pools.length + 1);
    grown[pools.length] = pool;
    pools = grown;
    return pool;
  }

  /**
   * A port needs a pool no more that it has made: the next one that is made with the same name and
   * sizes is this one, if all of its buffers are free then.
   */
  public synchronized void release(BufferPool pool) {
    released.add(pool);
  }

  /**
   * Registers the memory system that owns all packets whose pool is not one of {@link #create}.
   *
   * @throws IllegalStateException if there is one already
   */
  public synchronized void foreign(PacketPool pool) {
    if (foreign != null) {
      throw new IllegalStateException(
          "a foreign memory system is registered already: pool=" + pool.name());
    }
    foreign = pool;
  }

  /**
   * The pools of {@link #create} that are open. Those of a foreign memory system are its ports'.
   */
  public List<PacketPool> own() {
    return List.of(pools);
  }

  /** Whether {@link #create} made any pool: while not, every packet is foreign. */
  public boolean hasOwn() {
    return pools.length > 0;
  }

  /** Whether packet {@code mbuf} is of a pool of {@link #create}. */
  public boolean isOwn(long mbuf) {
    long id = Mbuf.pool(mbuf);
    return id > 0 && id <= pools.length;
  }

  /** The pool that packet {@code mbuf} returns to. */
  public PacketPool of(long mbuf) {
    return byId(Mbuf.pool(mbuf));
  }

  private PacketPool byId(long id) {
    BufferPool[] own = pools;
    if (id > 0 && id <= own.length) {
      return own[(int) id - 1];
    }
    PacketPool other = foreign;
    if (other == null) {
      throw new IllegalStateException("packet of an unknown pool: pool=0x" + Long.toHexString(id));
    }
    return other;
  }

  /**
   * Frees {@code count} packets of any pools: one call for each run of packets of the same pool.
   */
  @SuppressWarnings("ReferenceEquality")
  public void free(long handles, int count) {
    int start = 0;
    while (start < count) {
      PacketPool pool = of(Handles.get(handles, start));
      int end = start + 1;
      while (end < count && of(Handles.get(handles, end)) == pool) {
        end++;
      }
      pool.free(Handles.address(handles, start), end - start);
      start = end;
    }
  }

  /**
   * Closes the pools of {@link #create} whose buffers are all free. The memory of the others stays,
   * so that a packet that somebody still holds cannot read freed memory.
   *
   * @return the pools that have not
   */
  public synchronized List<BufferPool> close() {
    List<BufferPool> incomplete = new ArrayList<>();
    for (BufferPool pool : pools) {
      if (!pool.closeIfWhole()) {
        incomplete.add(pool);
      }
    }
    pools = new BufferPool[0];
    return incomplete;
  }
}
