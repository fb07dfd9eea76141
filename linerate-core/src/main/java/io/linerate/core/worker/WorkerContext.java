package io.linerate.core.worker;

import io.linerate.core.balance.AssignedQueue;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.port.PortException;
import io.linerate.core.time.EpochClock;
import java.util.function.Consumer;

/**
 * What the workers of an engine share.
 *
 * @param failures of what neither a port nor a handler has thrown
 * @param onInputFailure told of a receive queue that failed, on the worker's thread
 * @param onOutputFailure told of a transmit queue that failed, on the worker's thread
 * @param onQueueEnd told of a receive queue that brings nothing any more, on the worker's thread
 */
record WorkerContext(
    EngineConfig config,
    PacketPools pools,
    EpochClock clock,
    RunFailures failures,
    Consumer<PortException> onInputFailure,
    Consumer<PortException> onOutputFailure,
    Consumer<AssignedQueue> onQueueEnd) {}
