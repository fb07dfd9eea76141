package io.linerate.bench.latency;

/**
 * A time in which packets waited for the forwarder for {@link #LEAST_NS} or longer.
 *
 * @param startNs since 1970
 * @param lengthNs until the last of these packets was back
 * @param waitedNs of it, the forwarder's thread was ready and had no CPU
 */
record Stall(long startNs, long lengthNs, long waitedNs) {
  static final long LEAST_NS = 100_000;

  long endNs() {
    return startNs + lengthNs;
  }
}
