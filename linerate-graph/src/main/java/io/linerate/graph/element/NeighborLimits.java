package io.linerate.graph.element;

/**
 * How much ArpQuerier and NeighborDiscovery may keep and ask, on each worker.
 *
 * @param neighbors known at the same time, 8 to 1048576, rounded up to a power of two: 64 bytes
 *     each
 * @param unresolved others asked for at the same time, 1 to 4096: so many queues of packets
 * @param held packets for one of these, 1 to 1024: buffers that the port that received them lacks
 *     meanwhile
 * @param queriesPerSecond to all neighbors together that are not known, 1 to 1e6, and as many again
 *     to confirm those that are; a tenth of it at once
 * @param refreshNs an address in use is confirmed by a query to it after this, 1e9 to 3600e9
 * @param timeoutNs an address is forgotten when nobody has confirmed it for this, from refreshNs to
 *     86400e9, a day
 */
public record NeighborLimits(
    int neighbors, int unresolved, int held, int queriesPerSecond, long refreshNs, long timeoutNs) {
  private static final long SECOND_NS = 1_000_000_000L;

  /** Refreshed after 30 s, as RFC 4861, section 10, has it; forgotten after five minutes. */
  public static final NeighborLimits USUAL =
      new NeighborLimits(1_024, 64, 16, 100, 30 * SECOND_NS, 300 * SECOND_NS);

  private static final int MIN_NEIGHBORS = 8;
  private static final int MAX_NEIGHBORS = 1 << 20;
  private static final int MAX_UNRESOLVED = 4_096;
  private static final int MAX_HELD = 1_024;
  private static final int MAX_QUERIES = 1_000_000;
  private static final long MAX_REFRESH_NS = 3_600 * SECOND_NS;
  private static final long MAX_TIMEOUT_NS = 86_400 * SECOND_NS;

  Parameters check(Parameters parameters) {
    return parameters
        .range("neighbors", neighbors, MIN_NEIGHBORS, MAX_NEIGHBORS)
        .range("unresolved", unresolved, 1, MAX_UNRESOLVED)
        .range("held", held, 1, MAX_HELD)
        .range("queriesPerSecond", queriesPerSecond, 1, MAX_QUERIES)
        .range("refreshNs", refreshNs, SECOND_NS, MAX_REFRESH_NS)
        .range("timeoutNs", timeoutNs, refreshNs, MAX_TIMEOUT_NS);
  }
}
