package io.linerate.graph;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPool;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.statistics.PacketLedger;
import io.linerate.core.time.EpochClock;
import io.linerate.core.worker.WorkerResources;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a worker lends to its replica of the graph.
 *
 * @param worker itself
 * @param id its number
 * @param maxBurst packets in a burst at most
 * @param buffers of a port that this worker has its part of
 * @param resources what the worker shares with the graph
 * @param pool of packets that elements make
 * @param monotonicClock in ns, from any origin
 * @param junctions the queues, which workers share
 */
record ReplicaHost(
    HostWorker worker,
    int id,
    int maxBurst,
    int buffers,
    PacketPools pools,
    WorkerResources resources,
    Supplier<PacketPool> pool,
    EpochClock clock,
    LongSupplier monotonicClock,
    Junctions junctions) {
  DropCounts drops() {
    return resources.drops();
  }

  FreeBuffer freeBuffer() {
    return resources.freeBuffer();
  }

  PacketLedger ledger() {
    return resources.ledger();
  }

  /** Of all packets here. */
  BurstOwner owner() {
    return resources.owner();
  }

  /** A burst of the worker's thread. */
  OwnedBurst burst(int capacity, DropCounts drops, EpochClock clock) {
    return new OwnedBurst(new MbufArray(capacity), drops, clock, resources.owner());
  }
}
