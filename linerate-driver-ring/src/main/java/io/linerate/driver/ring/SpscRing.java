package io.linerate.driver.ring;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Handles;
import io.linerate.core.memory.Mbuf;
import io.linerate.core.memory.PacketPools;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A ring of packets from one thread to one other, a burst at a time and without a lock.
 *
 * <p>Both indices only grow, so that each is the number of packets that ever passed it. Each side
 * keeps the last value it saw of the other's index and looks again only when that does not suffice:
 * the cache line goes back and forth once for many bursts. What one side writes has cache lines of
 * its own.
 */
final class SpscRing {
  private static final VarHandle NUMBERS = MethodHandles.arrayElementVarHandle(long[].class);

  /** Longs before and after those of one side, so that nobody else's share their cache lines. */
  private static final int APART = 16;

  /** Packets that ever went in, or out. */
  private static final int INDEX = APART;

  private static final int BYTES = APART + 1;

  /** The other side's index, as last seen. */
  private static final int SEEN = APART + 2;

  private final long[] slots;
  private final int mask;

  /** Written by the producer. */
  private final long[] in = new long[SEEN + 1 + APART];

  /** Written by the consumer. */
  private final long[] out = new long[SEEN + 1 + APART];

  private volatile boolean producerClosed;
  private volatile boolean consumerClosed;
  private volatile long lostPackets;
  private volatile long lostBytes;

  /**
   * @param size packets at most, a power of two
   */
  SpscRing(int size) {
    if (Integer.bitCount(size) != 1) {
      throw new IllegalArgumentException(
          "ring has a bad size: size=" + size + "; it is a power of two");
    }
    slots = new long[size];
    mask = size - 1;
  }

  /**
   * Takes packets {@code [from, burst.size())} of a burst, or as many of them as there is room for.
   * Producer only.
   *
   * @return their number
   */
  int put(Burst burst, int from) {
    if (producerClosed) {
      throw closed();
    }
    if (consumerClosed) {
      return 0;
    }
    long start = in[INDEX];
    int count = Math.min(burst.size() - from, room(start, burst.size() - from));
    if (count == 0) {
      return 0;
    }
    long handles = Handles.address(burst.handles(), from);
    // Read before the packets are handed over: afterwards they are the consumer's.
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      long mbuf = Handles.get(handles, i);
      bytes += Mbuf.packetLength(mbuf);
      slots[(int) (start + i) & mask] = mbuf;
    }
    NUMBERS.setOpaque(in, BYTES, in[BYTES] + bytes);
    NUMBERS.setRelease(in, INDEX, start + count);
    return count;
  }

  private int room(long start, int wanted) {
    int room = (int) (in[SEEN] + slots.length - start);
    if (room < wanted) {
      in[SEEN] = indexOf(out);
      room = (int) (in[SEEN] + slots.length - start);
    }
    return room;
  }

  /**
   * Appends the packets that are there to a burst, as far as it has room. Consumer only.
   *
   * @return their number
   */
  int take(Burst burst) {
    if (consumerClosed) {
      throw closed();
    }
    return move(burst);
  }

  private int move(Burst burst) {
    long start = out[INDEX];
    int count = Math.min(burst.room(), waiting(start, burst.room()));
    if (count == 0) {
      return 0;
    }
    long handles = burst.reserve(count);
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      long mbuf = slots[(int) (start + i) & mask];
      bytes += Mbuf.packetLength(mbuf);
      Handles.set(handles, i, mbuf);
    }
    NUMBERS.setOpaque(out, BYTES, out[BYTES] + bytes);
    NUMBERS.setRelease(out, INDEX, start + count);
    burst.extend(count, null, bytes);
    return count;
  }

  private int waiting(long start, int wanted) {
    int waiting = (int) (out[SEEN] - start);
    if (waiting < wanted) {
      out[SEEN] = indexOf(in);
      waiting = (int) (out[SEEN] - start);
    }
    return waiting;
  }

  /** Whether nothing will ever come out again. Any thread. */
  boolean exhausted() {
    // In this order: what the producer put in before it closed is seen.
    return producerClosed && indexOf(in) == indexOf(out);
  }

  /** Packets inside, as one of the two sides sees it. */
  int size() {
    // In this order: the consumer never passes the producer.
    long packetsOut = indexOf(out);
    return (int) (indexOf(in) - packetsOut);
  }

  /** Nothing more goes in. */
  void closeProducer() {
    producerClosed = true;
  }

  /** Nothing more comes out; what is inside is freed. */
  void closeConsumer(PacketPools pools) {
    consumerClosed = true;
    freeAll(pools);
  }

  /**
   * Frees what is inside and counts it as lost. For the consumer, or for anybody when both sides
   * are closed.
   */
  void freeAll(PacketPools pools) {
    Burst burst = new Burst(Math.min(slots.length, 256));
    long bytesBefore = out[BYTES];
    long packets = 0;
    for (int count = move(burst); count > 0; count = move(burst)) {
      pools.free(burst.handles(), count);
      burst.clear();
      packets += count;
    }
    long packetsBefore = lostPackets;
    long lostBytesBefore = lostBytes;
    lostPackets = packetsBefore + packets;
    lostBytes = lostBytesBefore + (out[BYTES] - bytesBefore);
  }

  /** Packets put in until now. Any thread, as with all the numbers that follow. */
  long packetsIn() {
    return indexOf(in);
  }

  long bytesIn() {
    return (long) NUMBERS.getOpaque(in, BYTES);
  }

  /** Packets taken out until now, without those that were lost. */
  long packetsOut() {
    return indexOf(out) - lostPackets;
  }

  long bytesOut() {
    return (long) NUMBERS.getOpaque(out, BYTES) - lostBytes;
  }

  /** Packets that were still inside when the consumer closed. */
  long lostPackets() {
    return lostPackets;
  }

  private static IllegalStateException closed() {
    return new IllegalStateException("ring port is closed; open another");
  }

  private static long indexOf(long[] side) {
    return (long) NUMBERS.getAcquire(side, INDEX);
  }
}
