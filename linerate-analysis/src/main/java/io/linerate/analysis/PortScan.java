package io.linerate.analysis;

/**
 * A source that has begun connections with many ports of one host.
 *
 * @param ports of TCP and of UDP
 */
public record PortScan(HostAddress source, HostAddress destination, int ports) {}
