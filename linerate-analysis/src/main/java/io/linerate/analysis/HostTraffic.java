package io.linerate.analysis;

/**
 * What a host had in a window.
 *
 * @param flows that it is an end of
 * @param packets that it has sent
 * @param bytes of IP that it has sent
 * @param packetsBack that it has received
 * @param bytesBack of IP that it has received
 */
public record HostTraffic(
    HostAddress host, long flows, long packets, long bytes, long packetsBack, long bytesBack) {}
