package io.linerate.decode;

/** Which protocols ports stand for: as fast as most of them stand for none. */
final class PortTable {
  private static final int PORTS = 1 << 16;

  private final Protocols protocols;
  private final DispatchTable table;

  /** A bit for each port that stands for something. */
  private final long[] bound = new long[PORTS / Long.SIZE];

  PortTable(Protocols protocols, DispatchTable table) {
    this.protocols = protocols;
    this.table = table;
    for (DispatchKey key : protocols.bindings().keySet()) {
      if (key.table().equals(table) && key.value() < PORTS) {
        bound[(int) key.value() >>> 6] |= 1L << key.value();
      }
    }
  }

  /**
   * Number of the protocol that the lower port stands for, or else the other.
   *
   * @param ports of source and destination, as headers have them
   * @return {@link Protocols#NONE} if neither stands for one
   */
  int find(int ports) {
    int source = ports >>> 16;
    int destination = ports & 0xFFFF;
    int low = Math.min(source, destination);
    if (isBound(low)) {
      return protocols.find(table, low);
    }
    int high = Math.max(source, destination);
    return isBound(high) ? protocols.find(table, high) : Protocols.NONE;
  }

  /** Whether either of two ports stands for a protocol. */
  boolean isBound(int source, int destination) {
    int mask = bound.length - 1; // All that the compiler needs to leave out checks.
    long first = bound[(source >>> 6) & mask] >>> source;
    long second = bound[(destination >>> 6) & mask] >>> destination;
    return ((first | second) & 1) != 0;
  }

  private boolean isBound(int port) {
    return (bound[port >>> 6] & (1L << port)) != 0;
  }
}
