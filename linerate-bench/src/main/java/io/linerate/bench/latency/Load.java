package io.linerate.bench.latency;

/**
 * How many packets a second.
 *
 * @param title in the report
 */
record Load(String title, int packetsPerS) {}
