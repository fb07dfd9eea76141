package io.linerate.core.worker;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.log.FailureLog;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.statistics.PacketLedger;

/**
 * What a worker shares with a runtime that stands on it, such as that of graphs: for the worker's
 * thread only.
 *
 * @param arrived what is received: empty but for while it is handled
 * @param drops where the worker counts what it drops
 * @param freeBuffer where dropped packets go
 * @param ledger accounts for packets that come, go and stay in other ways than by its inputs and
 *     outputs
 * @param owner of the bursts that its handlers are given
 * @param failures of handlers
 */
public record WorkerResources(
    Burst arrived,
    DropCounts drops,
    FreeBuffer freeBuffer,
    PacketLedger ledger,
    BurstOwner owner,
    FailureLog failures) {}
