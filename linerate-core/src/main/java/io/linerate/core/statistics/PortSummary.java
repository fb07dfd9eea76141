package io.linerate.core.statistics;

import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortStatistics;

/** A port and what it has counted. */
public record PortSummary(String name, PortAddress address, PortStatistics statistics) {}
