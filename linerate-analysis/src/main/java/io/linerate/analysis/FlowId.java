package io.linerate.analysis;

import io.linerate.track.flow.FlowRecord;

/**
 * Which flow a packet is of, both directions together: the key of its numbers in a window. One that
 * reads packets is the same object for all; what is kept is a copy.
 */
final class FlowId implements Comparable<FlowId> {
  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  private int ipVersion;
  private int protocol;
  private long sourceHigh;
  private long sourceLow;
  private long destinationHigh;
  private long destinationLow;

  /** Source 16 | destination 16; 0 where the protocol has none. */
  private int ports;

  private int hash;

  /** Becomes that of a flow. */
  void set(FlowRecord flow) {
    ipVersion = flow.ipVersion();
    protocol = flow.protocol();
    sourceHigh = flow.sourceHigh();
    sourceLow = flow.sourceLow();
    destinationHigh = flow.destinationHigh();
    destinationLow = flow.destinationLow();
    ports = (flow.sourcePort() << 16) | flow.destinationPort();
    long mixed = mix(mix(mix(sourceHigh) + sourceLow) + destinationHigh) + destinationLow;
    mixed = mix(mixed + (((long) protocol << 32) | (ports & 0xFFFF_FFFFL)));
    hash = (int) (mixed >>> 32);
  }

  private static long mix(long value) {
    long mixed = value * MULTIPLIER;
    return mixed ^ (mixed >>> 32);
  }

  /** One that stays as it is. */
  FlowId copy() {
    FlowId copy = new FlowId();
    copy.ipVersion = ipVersion;
    copy.protocol = protocol;
    copy.sourceHigh = sourceHigh;
    copy.sourceLow = sourceLow;
    copy.destinationHigh = destinationHigh;
    copy.destinationLow = destinationLow;
    copy.ports = ports;
    copy.hash = hash;
    return copy;
  }

  int protocol() {
    return protocol;
  }

  HostAddress source() {
    return new HostAddress(ipVersion, sourceHigh, sourceLow);
  }

  HostAddress destination() {
    return new HostAddress(ipVersion, destinationHigh, destinationLow);
  }

  int sourcePort() {
    return ports >>> 16;
  }

  int destinationPort() {
    return ports & 0xFFFF;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FlowId one
        && one.sourceLow == sourceLow
        && one.destinationLow == destinationLow
        && one.ports == ports
        && one.protocol == protocol
        && one.sourceHigh == sourceHigh
        && one.destinationHigh == destinationHigh
        && one.ipVersion == ipVersion;
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** By source, destination, protocol and ports. */
  @Override
  public int compareTo(FlowId other) {
    int order = source().compareTo(other.source());
    order = order != 0 ? order : destination().compareTo(other.destination());
    order = order != 0 ? order : Integer.compare(protocol, other.protocol);
    return order != 0 ? order : Integer.compareUnsigned(ports, other.ports);
  }
}
