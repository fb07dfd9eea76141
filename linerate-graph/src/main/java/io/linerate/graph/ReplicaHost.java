package io.linerate.graph;

import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.FreeBuffer;
import io.linerate.core.memory.PacketPool;
import io.linerate.core.memory.PacketPools;
import io.linerate.core.time.EpochClock;
import io.linerate.core.worker.PacketLedger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a worker lends to its replica of the graph.
 *
 * @param worker its number
 * @param maxBurst packets in a burst at most
 * @param drops where the worker counts what it drops
 * @param home where dropped packets go
 * @param pool of packets that elements make
 * @param monotonicClock in ns, from any origin
 * @param doors the ports
 * @param junctions the queues, which workers share
 */
record ReplicaHost(
    int worker,
    int maxBurst,
    PacketPools pools,
    DropCounts drops,
    FreeBuffer home,
    PacketLedger ledger,
    Supplier<PacketPool> pool,
    EpochClock clock,
    LongSupplier monotonicClock,
    Doors doors,
    Junctions junctions) {}
