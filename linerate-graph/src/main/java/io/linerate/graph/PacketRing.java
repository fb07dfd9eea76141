package io.linerate.graph;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.OwnedBurst;
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
  private static final VarHandle NUMBERS = MethodHandles.arrayElementVarHandle(long[].class);

  /** Longs before and after those of one side, so that nobody else's share their cache lines. */
  private static final int APART = 16;

  /** Packets that ever went in, or out. */
  private static final int INDEX = APART;

  /** The other side's index, as last seen. */
  private static final int SEEN = APART + 1;

  private final long[] handles;
  private final long[] receivedNs;
  private final int capacity;
  private final int mask;
  private final AtomicInteger openSides = new AtomicInteger(2);

  /** Written by the producer. */
  private final long[] in = new long[SEEN + 1 + APART];

  /** Written by the consumer. */
  private final long[] out = new long[SEEN + 1 + APART];

  private boolean isCongested;
  private boolean holdsBack;

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
    long start = in[INDEX];
    long at = start;
    long end = at + room;
    for (Packet packet : burst) {
      if (at == end) {
        break;
      }
      int slot = (int) at & mask;
      receivedNs[slot] = packet.timestampNs();
      handles[slot] = OwnedBurst.take(packet);
      at++;
    }
    NUMBERS.setRelease(in, INDEX, at);
    return (int) (at - start);
  }

  private int room(int wanted) {
    int room = (int) (in[SEEN] + capacity - in[INDEX]);
    if (room < wanted) {
      in[SEEN] = indexOf(out);
      room = (int) (in[SEEN] + capacity - in[INDEX]);
    }
    return room;
  }

  /**
   * Sends the oldest packets, at most {@code max}, and returns their number. Consumer only.
   *
   * <p>A packet leaves the ring when there is room for it: what is thrown while others are handed
   * on costs it nothing, and what is thrown later cannot bring it back.
   */
  int sendTo(Outlet outlet, int max) {
    int count = Math.min(max, waiting(max));
    for (int i = 0; i < count; i++) {
      outlet.makeRoom();
      int slot = (int) out[INDEX] & mask;
      long handle = handles[slot];
      long time = receivedNs[slot];
      NUMBERS.setRelease(out, INDEX, out[INDEX] + 1);
      outlet.append(handle, time);
    }
    return count;
  }

  /** Moves the oldest packets to an array as far as it has room. Consumer, or the last to close. */
  int take(MbufArray packets) {
    int count = Math.min(packets.room(), waiting(packets.room()));
    for (int i = 0; i < count; i++) {
      packets.append(handles[(int) out[INDEX] & mask]);
      NUMBERS.setRelease(out, INDEX, out[INDEX] + 1);
    }
    return count;
  }

  private int waiting(int wanted) {
    int waiting = (int) (out[SEEN] - out[INDEX]);
    if (waiting < wanted) {
      out[SEEN] = indexOf(in);
      waiting = (int) (out[SEEN] - out[INDEX]);
    }
    return waiting;
  }

  /** Packets inside. Any thread. */
  int size() {
    long packetsOut = indexOf(out);
    return (int) (indexOf(in) - packetsOut);
  }

  int capacity() {
    return capacity;
  }

  /** Packets that ever went in. Producer only. */
  long packetsIn() {
    return in[INDEX];
  }

  /** Packets that ever came out. Any thread. */
  long packetsOut() {
    return indexOf(out);
  }

  /**
   * Whether what feeds it is to wait: from when there is no room for {@code margin} packets until
   * half of it is free. Producer only.
   */
  boolean holdsBack(int margin) {
    int wanted = holdsBack ? Math.max(margin, capacity / 2) : margin;
    holdsBack = !consumerClosed && room(wanted) < wanted;
    return holdsBack;
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
    if (producerClosed) {
      return false;
    }
    producerClosed = true;
    return openSides.decrementAndGet() == 0;
  }

  /** Nothing more comes out; likewise. */
  boolean closeConsumer() {
    if (consumerClosed) {
      return false;
    }
    consumerClosed = true;
    return openSides.decrementAndGet() == 0;
  }

  private static long indexOf(long[] side) {
    return (long) NUMBERS.getAcquire(side, INDEX);
  }
}
