package io.linerate.decode;

import java.util.Arrays;

/** Which protocols ports stand for: as fast as most of them stand for none. */
final class PortTable {
  private static final int PORTS = 1 << 16;

  /** Ports of a page: as many as a long has bits. */
  private static final int PAGE = Long.SIZE;

  private static final int PAGE_BITS = 6;

  /** A bit for each port that stands for something. */
  private final long[] bound = new long[PORTS / PAGE];

  /** Of each port number of a protocol, by pages: most of them have none, and are one. */
  private final char[][] pages = new char[PORTS / PAGE][];

  PortTable(Protocols protocols, DispatchTable table) {
    Arrays.fill(pages, new char[PAGE]);
    for (DispatchKey key : protocols.bindings().keySet()) {
      if (key.table().equals(table) && key.value() < PORTS) {
        bind((int) key.value(), protocols.find(table, key.value()));
      }
    }
  }

  private void bind(int port, int number) {
    int page = port >>> PAGE_BITS;
    if (bound[page] == 0) {
      pages[page] = new char[PAGE];
    }
    bound[page] |= 1L << port;
    pages[page][port & (PAGE - 1)] = (char) number;
  }

  /**
   * Number of the protocol that the lower port stands for, or else the other.
   *
   * @param ports of source and destination, as headers have them, of which one stands for a
   *     protocol: see {@link #isBound}
   */
  int find(int ports) {
    int source = ports >>> 16;
    int destination = ports & 0xFFFF;
    int low = Math.min(source, destination);
    int port = isBound(low) ? low : Math.max(source, destination);
    return pages[port >>> PAGE_BITS][port & (PAGE - 1)];
  }

  /** Whether either of two ports stands for a protocol. */
  boolean isBound(int source, int destination) {
    int mask = bound.length - 1; // All that the compiler needs to leave out checks.
    long first = bound[(source >>> PAGE_BITS) & mask] >>> source;
    long second = bound[(destination >>> PAGE_BITS) & mask] >>> destination;
    return ((first | second) & 1) != 0;
  }

  private boolean isBound(int port) {
    return (bound[port >>> PAGE_BITS] & (1L << port)) != 0;
  }
}
