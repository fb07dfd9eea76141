package io.linerate.apps.generate;

import java.util.Arrays;

/**
 * Whether packets of a flow come in the order in which they were sent, by their sequence numbers:
 * RFC 4737, for each flow by itself, since a device that spreads flows over queues keeps the order
 * of no others.
 *
 * <p>It knows {@link #MAX_FLOWS} flows. Of more, one takes the place of another, whose next packet
 * is taken for one in order: what it counts has happened.
 */
final class FlowOrder {
  static final int MAX_FLOWS = 1 << 20;

  private static final int FIRST_SLOTS = 1 << 10;
  private static final int PROBES = 8;

  /** Of a slot: a flow's number, and the highest sequence number that came, or -1. */
  private long[] flows;

  private long[] highest;
  private int size;
  private long reordered;
  private long largestExtent;

  FlowOrder() {
    flows = new long[FIRST_SLOTS];
    highest = unused(FIRST_SLOTS);
  }

  private static long[] unused(int slots) {
    long[] numbers = new long[slots];
    Arrays.fill(numbers, -1);
    return numbers;
  }

  /**
   * A packet has come.
   *
   * @param flow different for different flows, in all its bits
   * @param sequence from 0
   */
  void add(long flow, long sequence) {
    int slot = slot(flow);
    long extent = highest[slot] - sequence;
    if (extent > 0) {
      reordered++;
      largestExtent = Math.max(largestExtent, extent);
    } else {
      highest[slot] = sequence;
    }
  }

  /** The slot of a flow, in whose place it is put if it is new. */
  private int slot(long flow) {
    int mask = flows.length - 1;
    int first = (int) flow & mask;
    for (int i = 0; i < PROBES; i++) {
      int slot = first + i & mask;
      if (highest[slot] < 0) {
        return place(flow, slot);
      }
      if (flows[slot] == flow) {
        return slot;
      }
    }
    if (flows.length < 2 * MAX_FLOWS) {
      grow();
      return slot(flow);
    }
    highest[first] = -1;
    flows[first] = flow;
    return first;
  }

  private int place(long flow, int slot) {
    if (2 * ++size > flows.length && flows.length < 2 * MAX_FLOWS) {
      grow();
      return slot(flow);
    }
    flows[slot] = flow;
    return slot;
  }

  private void grow() {
    long[] oldFlows = flows;
    long[] oldHighest = highest;
    flows = new long[2 * oldFlows.length];
    highest = unused(2 * oldFlows.length);
    size = 0;
    for (int i = 0; i < oldFlows.length; i++) {
      if (oldHighest[i] >= 0) {
        int slot = slot(oldFlows[i]); // Which may grow again.
        highest[slot] = oldHighest[i];
      }
    }
  }

  /** Packets that came after one of their flow with a higher number. */
  long reordered() {
    return reordered;
  }

  /** The largest distance of such numbers: the reordering extent. */
  long largestExtent() {
    return largestExtent;
  }
}
