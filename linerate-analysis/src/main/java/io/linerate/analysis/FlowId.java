package io.linerate.analysis;

import io.linerate.track.flow.FlowRecord;

/**
 * Which flow a packet is of: its two ends, the lesser one first, whoever has begun, and the
 * protocol; the key of its numbers in a window. One that reads packets is the same object for all;
 * what is kept is a copy.
 */
final class FlowId implements Comparable<FlowId> {
  private int ipVersion;
  private int protocol;
  private long high;
  private long low;
  private long otherHigh;
  private long otherLow;

  /** Of the lesser end 16 | of the other 16; 0 where the protocol has none. */
  private int ports;

  private int hash;

  /**
   * Becomes that of a flow.
   *
   * @return which end its source is: 0 the lesser, 1 the other
   */
  int set(FlowRecord flow) {
    ipVersion = flow.ipVersion();
    protocol = flow.protocol();
    high = flow.sourceHigh();
    low = flow.sourceLow();
    otherHigh = flow.destinationHigh();
    otherLow = flow.destinationLow();
    ports = (flow.sourcePort() << 16) | flow.destinationPort();
    int sourceEnd = isLesserFirst() ? 0 : 1;
    if (sourceEnd == 1) {
      high = flow.destinationHigh();
      low = flow.destinationLow();
      otherHigh = flow.sourceHigh();
      otherLow = flow.sourceLow();
      ports = (ports << 16) | (ports >>> 16);
    }
    hash = hash(KeyHash.SECRET);
    return sourceEnd;
  }

  private boolean isLesserFirst() {
    if (high != otherHigh) {
      return Long.compareUnsigned(high, otherHigh) < 0;
    }
    return low == otherLow ? port(0) <= port(1) : Long.compareUnsigned(low, otherLow) < 0;
  }

  int hash(KeyHash secret) {
    long mixed = secret.add(secret.add(0, high, low), otherHigh, otherLow);
    long kind = ((long) ipVersion << Byte.SIZE) | protocol;
    return KeyHash.toInt(secret.add(mixed, kind, ports));
  }

  /** One that stays as it is. */
  FlowId copy() {
    FlowId copy = new FlowId();
    copy.ipVersion = ipVersion;
    copy.protocol = protocol;
    copy.high = high;
    copy.low = low;
    copy.otherHigh = otherHigh;
    copy.otherLow = otherLow;
    copy.ports = ports;
    copy.hash = hash;
    return copy;
  }

  int protocol() {
    return protocol;
  }

  /** The address of an end, 0 or 1. */
  HostAddress address(int end) {
    return end == 0
        ? new HostAddress(ipVersion, high, low)
        : new HostAddress(ipVersion, otherHigh, otherLow);
  }

  /** The port of an end, 0 or 1. */
  int port(int end) {
    return end == 0 ? ports >>> 16 : ports & 0xFFFF;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FlowId one
        && one.low == low
        && one.otherLow == otherLow
        && one.ports == ports
        && one.protocol == protocol
        && one.high == high
        && one.otherHigh == otherHigh
        && one.ipVersion == ipVersion;
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** By addresses, protocol and ports. */
  @Override
  public int compareTo(FlowId other) {
    int order = address(0).compareTo(other.address(0));
    order = order != 0 ? order : address(1).compareTo(other.address(1));
    order = order != 0 ? order : Integer.compare(protocol, other.protocol);
    return order != 0 ? order : Integer.compareUnsigned(ports, other.ports);
  }
}
