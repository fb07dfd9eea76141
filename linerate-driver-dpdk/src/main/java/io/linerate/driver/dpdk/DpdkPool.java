package io.linerate.driver.dpdk;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPool;
import io.linerate.core.port.PortException;
import java.lang.foreign.Arena;

/**
 * A mempool of DPDK. Threads that DPDK knows have a cache of free buffers each; all can use it.
 * {@link #free} returns packets of any mempool to their own.
 *
 * @param address of the {@code struct rte_mempool}
 */
record DpdkPool(String name, int capacity, int headroomBytes, int roomBytes, long address)
    implements PacketPool {
  /** Buffers that a thread's cache is filled up to; it holds up to half as many more. */
  static final int CACHE = 256;

  /**
   * @param name at most 25 characters, unique in the process
   * @param socket CPU socket whose memory it uses, or -1 for any
   * @param memoryRemedy what a message is to say when there is too little memory
   */
  static DpdkPool create(
      String name,
      int capacity,
      int headroomBytes,
      int roomBytes,
      int socket,
      String memoryRemedy) {
    int cache = Math.min(CACHE, capacity / 4);
    long address;
    try (Arena arena = Arena.ofConfined()) {
      long cName = arena.allocateFrom(name).address();
      address =
          ShimFunction.POOL_CREATE.callLong(
              cName, capacity, cache, headroomBytes + roomBytes, socket);
    }
    if (address < 0) {
      throw new PortException(
          "cannot make the packet buffers of a DPDK port: buffers=%d, roomBytes=%d, socket=%d, %s, %s"
              .formatted(
                  capacity, roomBytes, socket, DpdkLibrary.error((int) address), memoryRemedy));
    }
    return new DpdkPool(name, capacity, headroomBytes, roomBytes, address);
  }

  @Override
  public int available() {
    return ShimFunction.POOL_AVAILABLE.call(address);
  }

  @Override
  public boolean allocate(MbufArray packets, int count) {
    if (!allocate(packets.reserve(count), count)) {
      return false;
    }
    packets.extend(count, this);
    return true;
  }

  /** Writes {@code count} handles of empty packets to the array at {@code handles}, all or none. */
  boolean allocate(long handles, int count) {
    return DpdkLibrary.allocBulk(address, handles, count) == 0;
  }

  @Override
  public void free(long handles, int count) {
    DpdkLibrary.freeBulk(handles, count);
  }

  /** Gives the memory back. No packet of this pool may be touched afterwards. */
  void close() {
    int _ = ShimFunction.POOL_FREE.call(address);
  }

  @Override
  public String toString() {
    return "pool=%s, capacity=%d, available=%d".formatted(name, capacity, available());
  }
}
