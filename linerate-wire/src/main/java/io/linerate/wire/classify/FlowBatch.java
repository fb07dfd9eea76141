package io.linerate.wire.classify;

import java.util.Objects;

/**
 * The flows of some packets, and for each the number of the first rule that matches it. Make one,
 * and use it for burst after burst: it allocates nothing. One thread at a time.
 */
public final class FlowBatch {
  /** A protocol that is not known: only rules about all protocols match. */
  public static final int UNKNOWN_PROTOCOL = 256;

  private static final long[] NONE = {};

  /** Of IPv4 source and destination, of IPv6 bytes 0 to 7 of the source. */
  final long[] addresses;

  // Of IPv6 only.
  final long[] sourceLow;
  final long[] destinationHigh;
  final long[] destinationLow;
  final int version;

  /** The protocol, then the ports of source (16 bits) and destination (16). */
  final long[] services;

  final int[] numbers;

  /** What {@link FlowTables} found on its way. */
  final long[] sources;

  final long[] destinations;
  final int[] classes;
  final int[] places;

  private int count;

  /**
   * A batch of flows of IPv4.
   *
   * @param capacity how many flows it can have, 0 or more; as many as a burst has packets
   * @throws IllegalArgumentException if it is negative
   */
  public FlowBatch(int capacity) {
    this(capacity, 4);
  }

  /** As {@link #FlowBatch(int)}, of flows of IPv6. */
  public static FlowBatch ofIpv6(int capacity) {
    return new FlowBatch(capacity, 6);
  }

  private FlowBatch(int capacity, int version) {
    if (capacity < 0) {
      throw new IllegalArgumentException(
          "batch has a bad capacity: capacity="
              + capacity
              + "; give it as many as a burst has packets");
    }
    this.version = version;
    addresses = new long[capacity];
    sourceLow = version == 4 ? NONE : new long[capacity];
    destinationHigh = version == 4 ? NONE : new long[capacity];
    destinationLow = version == 4 ? NONE : new long[capacity];
    services = new long[capacity];
    numbers = new int[capacity];
    sources = new long[capacity];
    destinations = new long[capacity];
    classes = new int[capacity];
    places = new int[capacity];
  }

  /** Forgets all flows. */
  public void clear() {
    count = 0;
  }

  /**
   * Takes one more flow of IPv4.
   *
   * @param addresses source (32 bits), then destination (32): the eight bytes of an IPv4 header
   *     from the source on (RFC 791, section 3.1)
   * @param protocol of the IPv4 header, 0 to 255, or {@link #UNKNOWN_PROTOCOL}
   * @param ports source (16 bits), then destination (16): the first four bytes of the header of
   *     TCP, UDP and their like; 0 for packets that have no ports, and for all fragments but the
   *     first
   * @throws IndexOutOfBoundsException if it has as many as it can have
   * @throws IllegalStateException if it is one of IPv6
   */
  public void add(long addresses, int protocol, int ports) {
    requireVersion(4);
    this.addresses[count] = addresses;
    services[count] = (long) protocol << Integer.SIZE | Integer.toUnsignedLong(ports);
    count++;
  }

  /**
   * Takes one more flow of IPv6.
   *
   * @param sourceHigh bytes 0 to 7 of the source
   * @param sourceLow bytes 8 to 15
   * @param destinationHigh bytes 0 to 7 of the destination
   * @param destinationLow bytes 8 to 15
   * @param protocol behind the extension headers, 0 to 255, or {@link #UNKNOWN_PROTOCOL}
   * @param ports as in {@link #add}
   * @throws IndexOutOfBoundsException if it has as many as it can have
   * @throws IllegalStateException if it is one of IPv4
   */
  public void addIpv6(
      long sourceHigh,
      long sourceLow,
      long destinationHigh,
      long destinationLow,
      int protocol,
      int ports) {
    requireVersion(6);
    addresses[count] = sourceHigh;
    this.sourceLow[count] = sourceLow;
    this.destinationHigh[count] = destinationHigh;
    this.destinationLow[count] = destinationLow;
    services[count] = (long) protocol << Integer.SIZE | Integer.toUnsignedLong(ports);
    count++;
  }

  void requireVersion(int wanted) {
    if (version != wanted) {
      throw new IllegalStateException(
          "batch has another version of IP: batch=%d, wanted=%d; make one of each"
              .formatted(version, wanted));
    }
  }

  /** How many flows it has. */
  public int count() {
    return count;
  }

  /**
   * The number of the first rule that matches a flow, once {@link FlowClassifier#match} has found
   * it.
   *
   * @param index in the order in which flows were taken
   */
  public int number(int index) {
    return numbers[Objects.checkIndex(index, count)];
  }
}
