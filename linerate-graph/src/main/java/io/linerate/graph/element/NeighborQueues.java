package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.PacketQueue;
import io.linerate.graph.Wiring;

/** Queues of packets that wait for an address, each for one neighbor at a time. */
final class NeighborQueues {
  static final int NONE = -1;

  private final PacketQueue[] queues;

  /** By queue: the entry of the neighbor that it is for. */
  private final int[] entries;

  private final int[] free;
  private int freeCount;

  NeighborQueues(Wiring wiring, int neighbors, int packets) {
    queues = new PacketQueue[neighbors];
    entries = new int[neighbors];
    free = new int[neighbors];
    for (int i = 0; i < neighbors; i++) {
      queues[i] = wiring.queue(packets);
      entries[i] = NONE;
      free[freeCount++] = i;
    }
  }

  int queues() {
    return queues.length;
  }

  boolean isRoom() {
    return freeCount > 0;
  }

  /** The entry that a queue is for, or {@link #NONE}. */
  int entry(int queue) {
    return entries[queue];
  }

  /** A queue for an entry; there is room for it. */
  int open(int entry) {
    int queue = free[--freeCount];
    entries[queue] = entry;
    return queue;
  }

  /** Keeps a packet. The oldest goes if there are too many: RFC 4861, section 7.2.2. */
  void add(int queue, Packet packet, DropReason whenFull) {
    if (queues[queue].isFull()) {
      queues[queue].drop(1, whenFull);
    }
    queues[queue].add(packet);
  }

  int size(int queue) {
    return queues[queue].size();
  }

  /** Gives the queue back, whose packets the caller ends before anything else. */
  PacketQueue close(int queue) {
    entries[queue] = NONE;
    free[freeCount++] = queue;
    return queues[queue];
  }
}
