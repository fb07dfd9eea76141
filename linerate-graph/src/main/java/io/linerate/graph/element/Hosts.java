package io.linerate.graph.element;

import io.linerate.wire.Ethernet;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;

/** Which addresses may be those of a single host, which alone is ever answered. */
final class Hosts {
  private Hosts() {}

  /** RFC 1122, section 3.2.1.3: neither 0.0.0.0/8, 127.0.0.0/8 nor 224.0.0.0/3. */
  static boolean isHost(int address) {
    int first = address >>> 24;
    return first != 0 && first != 127 && first < 224;
  }

  /** RFC 4291, sections 2.5.2, 2.5.3 and 2.7: neither unspecified, loopback nor multicast. */
  static boolean isHost(long high, long low) {
    return !isMulticast(high) && !(high == 0 && low >>> 1 == 0);
  }

  static boolean isMulticast(long high) {
    return high >>> 56 == 0xFF;
  }

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
