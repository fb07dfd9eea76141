package io.linerate.graph.element;

import io.linerate.wire.Ethernet;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;

/** Turns packets round in their place, for answers. */
final class Turned {
  private Turned() {}

  /** Exchanges source and destination, which no checksum notices. */
  static void swap(Ipv4 header) {
    int source = header.source();
    header.source(header.destination()).destination(source);
  }

  static void swap(Ethernet header) {
    long source = header.source();
    header.source(header.destination()).destination(source);
  }

  static void swap(Ipv6 header) {
    long high = header.sourceHigh();
    long low = header.sourceLow();
    header.source(header.destinationHigh(), header.destinationLow()).destination(high, low);
  }
}
