package io.linerate.core.port;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.time.EpochClock;
import java.util.function.Function;

/**
 * What a driver needs to open a port.
 *
 * @param name the port's name in messages
 * @param rxQueues receive queues wanted, at least 1
 * @param txQueues transmit queues wanted, at least 1
 * @param pools where to create pools, and to free packets of any
 * @param inner opens the port that a decorating port stands before
 */
public record PortRequest(
    String name,
    PortAddress address,
    int rxQueues,
    int txQueues,
    EngineConfig config,
    PacketPools pools,
    EpochClock clock,
    Function<PortAddress, DriverPort> inner) {}
