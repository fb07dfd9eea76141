package io.linerate.stream.net;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Memory of flows that have come and gone, for those that come: it is bounded by what there was at
 * once, whenever the collector runs. Any thread.
 */
final class Rings {
  private final Map<Long, Deque<Ring>> free = new HashMap<>();

  /**
   * Gives one, with whatever is in it.
   *
   * @param bytes a power of two
   */
  synchronized Ring take(long bytes) {
    Ring ring = free.computeIfAbsent(bytes, _ -> new ArrayDeque<>()).poll();
    return ring == null ? new Ring(bytes) : ring;
  }

  /** Takes one back: nobody has it any more. */
  synchronized void give(Ring ring) {
    free.computeIfAbsent(ring.capacity(), _ -> new ArrayDeque<>()).add(ring);
  }
}
