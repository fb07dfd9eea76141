package io.linerate.wire.classify;

import java.util.Objects;

/**
 * The flows of some packets, and for each the number of the first rule that matches it. Make one,
 * and use it for burst after burst: it allocates nothing. One thread at a time.
 */
public final class FlowBatch {
  final long[] addresses;

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
   * @param capacity how many flows it can have, 0 or more; as many as a burst has packets
   * @throws IllegalArgumentException if it is negative
   */
  public FlowBatch(int capacity) {
    if (capacity < 0) {
      throw new IllegalArgumentException(
          "batch has a bad capacity: capacity="
              + capacity
              + "; give it as many as a burst has packets");
    }
    addresses = new long[capacity];
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
   * Takes one more flow.
   *
   * @param addresses source (32 bits), then destination (32): the eight bytes of an IPv4 header
   *     from the source on (RFC 791, section 3.1)
   * @param protocol of the IPv4 header, 0 to 255
   * @param ports source (16 bits), then destination (16): the first four bytes of the header of
   *     TCP, UDP and their like; 0 for packets that have no ports, and for all fragments but the
   *     first
   * @throws IndexOutOfBoundsException if it has as many as it can have
   */
  public void add(long addresses, int protocol, int ports) {
    this.addresses[count] = addresses;
    services[count] = (long) protocol << Integer.SIZE | Integer.toUnsignedLong(ports);
    count++;
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
