package io.linerate.driver.dpdk;

import io.linerate.core.driver.PacketPools;
import java.util.ArrayList;
import java.util.List;

/**
 * The mempools of one engine's ports. They outlive the ports, because a port's packets may still
 * lie in another port's transmit ring when it is closed.
 */
final class DpdkPools implements AutoCloseable {
  private final PacketPools engine;
  private final String memoryRemedy;
  private final boolean attachesThreads;
  private final List<DpdkPool> pools = new ArrayList<>();

  /**
   * @param engine the registry of the engine, which frees DPDK's packets through the first pool
   * @param eal where they are
   */
  DpdkPools(PacketPools engine, Eal eal) {
    this.engine = engine;
    memoryRemedy = eal.memoryRemedy();
    attachesThreads = !eal.hasSecondaries();
  }

  /**
   * Whether threads get caches of buffers: DPDK lets no other process in after the first of them
   * has been registered (rte_thread_register).
   */
  boolean attachesThreads() {
    return attachesThreads;
  }

  /** Makes a pool, which belongs to the caller until it is {@link #keep kept}. */
  DpdkPool create(String name, int capacity, int headroomBytes, int roomBytes, int socket) {
    return DpdkPool.create(name, capacity, headroomBytes, roomBytes, socket, memoryRemedy);
  }

  /** Keeps the pool of a port that was set up. */
  void keep(DpdkPool pool) {
    if (pools.isEmpty()) {
      engine.foreign(pool);
    }
    pools.add(pool);
  }

  /**
   * Frees them, after all ports are closed.
   *
   * @throws IllegalStateException if buffers are missing; nothing is freed then
   */
  @Override
  public void close() {
    List<DpdkPool> incomplete =
        pools.stream().filter(pool -> pool.available() != pool.capacity()).toList();
    if (!incomplete.isEmpty()) {
      throw new IllegalStateException("buffers are missing from their pool: " + incomplete);
    }
    pools.forEach(DpdkPool::close);
  }
}
