package io.linerate.analysis;

/**
 * A port of a host to which many connections were begun and not completed.
 *
 * @param syns of these connections
 * @param connections how many these are
 * @param sources addresses that they come from
 */
public record SynFlood(
    HostAddress destination, int port, long syns, int connections, int sources) {}
