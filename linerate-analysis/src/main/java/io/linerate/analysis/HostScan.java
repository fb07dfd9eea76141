package io.linerate.analysis;

/**
 * A source that has begun connections with many hosts.
 *
 * @param ports of TCP and of UDP, on all of them together; 0 if it has sent echo requests only
 */
public record HostScan(HostAddress source, int hosts, int ports) {}
