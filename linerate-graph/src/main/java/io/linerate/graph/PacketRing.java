package io.linerate.graph;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Packets from one thread to one other, or the same, without a lock. Both indices only grow; each
 * side keeps what it last saw of the other's and looks again only when that does not suffice.
 *
 * <p>When both sides are closed nobody touches it, and whoever closed last empties it.
 */
final class PacketRing {
  private static final VarHandle TAIL = index("tail");
  private static final VarHandle HEAD = index("head");

  private final long[] handles;
  private final long[] receivedNs;
  private final int capacity;
  private final int mask;
  private final AtomicInteger openSides = new AtomicInteger(2);

  // Written by the producer.
  private long tail;
  private long headSeen;
  private boolean isCongested;

  // Written by the consumer.
  private long head;
  private long tailSeen;

  private volatile boolean producerClosed;
  private volatile boolean consumerClosed;

  PacketRing(int capacity) {
    this.capacity = capacity;
    int slots = Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
    handles = new long[slots];
    receivedNs = new long[slots];
    mask = slots - 1;
  }

  /** Takes packets out of a burst while there is room, and returns their number. Producer only. */
  int put(Burst burst) {
    int room = consumerClosed ? 0 : room(burst.live());
    if (room == 0) {
      return 0;
    }
    long at = tail;
    long end = at + room;
    for (Packet packet : burst) {
      if (at == end) {
        break;
      }
      int slot = (int) at & mask;
      receivedNs[slot] = packet.timestampNs();
      handles[slot] = packet.take();
      at++;
    }
    int count = (int) (at - tail);
    TAIL.setRelease(this, at);
    return count;
  }

  private int room(int wanted) {
    int room = (int) (headSeen + capacity - tail);
    if (room < wanted) {
      headSeen = (long) HEAD.getAcquire(this);
      room = (int) (headSeen + capacity - tail);
    }
    return room;
  }

  /**
   * Sends the oldest packets, at most {@code max}, and returns their number. Consumer only.
   *
   * <p>A packet has left the ring before it is sent, so that nothing that happens there can bring
   * it back.
   */
  int sendTo(Outlet outlet, int max) {
    int count = Math.min(max, waiting(max));
    for (int i = 0; i < count; i++) {
      int slot = (int) head & mask;
      long handle = handles[slot];
      long time = receivedNs[slot];
      HEAD.setRelease(this, head + 1);
      outlet.append(handle, time);
    }
    return count;
  }

  /** Moves the oldest packets to a burst as far as it has room. Consumer, or the last to close. */
  int take(Burst burst) {
    int count = Math.min(burst.room(), waiting(burst.room()));
    for (int i = 0; i < count; i++) {
      burst.append(handles[(int) head & mask]);
      HEAD.setRelease(this, head + 1);
    }
    return count;
  }

  private int waiting(int wanted) {
    int waiting = (int) (tailSeen - head);
    if (waiting < wanted) {
      tailSeen = (long) TAIL.getAcquire(this);
      waiting = (int) (tailSeen - head);
    }
    return waiting;
  }

  /** Packets inside. Any thread. */
  int size() {
    long out = (long) HEAD.getAcquire(this);
    return (int) ((long) TAIL.getAcquire(this) - out);
  }

  int capacity() {
    return capacity;
  }

  /** Whether it was more than three quarters full, and has not been below one quarter since. */
  boolean isCongested() {
    int size = size();
    if (isCongested) {
      isCongested = size > capacity / 4;
    } else {
      isCongested = size > capacity - capacity / 4;
    }
    return isCongested;
  }

  boolean isProducerClosed() {
    return producerClosed;
  }

  /**
   * Nothing more goes in.
   *
   * @return whether the caller has to empty it
   */
  boolean closeProducer() {
    producerClosed = true;
    return openSides.decrementAndGet() == 0;
  }

  /** Nothing more comes out; likewise. */
  boolean closeConsumer() {
    consumerClosed = true;
    return openSides.decrementAndGet() == 0;
  }

  private static VarHandle index(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(PacketRing.class, field, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
