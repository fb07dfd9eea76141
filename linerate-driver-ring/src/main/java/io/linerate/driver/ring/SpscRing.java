package io.linerate.driver.ring;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A ring of packets from one thread to one other, a burst at a time and without a lock.
 *
 * <p>Both indices only grow, so that each is the number of packets that ever passed it. Each side
 * keeps the last value it saw of the other's index and looks again only when that does not suffice:
 * the cache line goes back and forth once for many bursts.
 */
final class SpscRing {
  private static final VarHandle TAIL = index("tail");
  private static final VarHandle HEAD = index("head");
  private static final VarHandle BYTES_IN = index("bytesIn");
  private static final VarHandle BYTES_OUT = index("bytesOut");

  private final long[] slots;
  private final int mask;

  // Written by the producer.
  private long tail;
  private long headSeen;
  private long bytesIn;

  // Written by the consumer.
  private long head;
  private long tailSeen;
  private long bytesOut;

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
   * Takes packets {@code [from, packets.size())} of a burst, or as many of them as there is room
   * for. Producer only.
   *
   * @return their number
   */
  int put(MbufArray packets, int from) {
    if (producerClosed) {
      throw closed();
    }
    if (consumerClosed) {
      return 0;
    }
    long start = tail;
    int count = Math.min(packets.size() - from, room(start, packets.size() - from));
    if (count == 0) {
      return 0;
    }
    long handles = Handles.address(packets.address(), from);
    // Read before the packets are handed over: afterwards they are the consumer's.
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      long mbuf = Handles.get(handles, i);
      bytes += Mbuf.packetLength(mbuf);
      slots[(int) (start + i) & mask] = mbuf;
    }
    BYTES_IN.setOpaque(this, bytesIn + bytes);
    TAIL.setRelease(this, start + count);
    return count;
  }

  private int room(long start, int wanted) {
    int room = (int) (headSeen + slots.length - start);
    if (room < wanted) {
      headSeen = (long) HEAD.getAcquire(this);
      room = (int) (headSeen + slots.length - start);
    }
    return room;
  }

  /**
   * Appends the packets that are there to a burst, as far as it has room. Consumer only.
   *
   * @return their number
   */
  int take(MbufArray packets) {
    if (consumerClosed) {
      throw closed();
    }
    return move(packets);
  }

  private int move(MbufArray packets) {
    long start = head;
    int count = Math.min(packets.room(), waiting(start, packets.room()));
    if (count == 0) {
      return 0;
    }
    long handles = packets.reserve(count);
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      long mbuf = slots[(int) (start + i) & mask];
      bytes += Mbuf.packetLength(mbuf);
      Handles.set(handles, i, mbuf);
    }
    BYTES_OUT.setOpaque(this, bytesOut + bytes);
    HEAD.setRelease(this, start + count);
    packets.extend(count, null);
    return count;
  }

  private int waiting(long start, int wanted) {
    int waiting = (int) (tailSeen - start);
    if (waiting < wanted) {
      tailSeen = (long) TAIL.getAcquire(this);
      waiting = (int) (tailSeen - start);
    }
    return waiting;
  }

  /** Whether nothing will ever come out again. Any thread. */
  boolean exhausted() {
    // In this order: what the producer put in before it closed is seen.
    return producerClosed && (long) TAIL.getAcquire(this) == (long) HEAD.getAcquire(this);
  }

  /** Packets inside, as one of the two sides sees it. */
  int size() {
    // In this order: the consumer never passes the producer.
    long out = (long) HEAD.getAcquire(this);
    return (int) ((long) TAIL.getAcquire(this) - out);
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
    MbufArray left = new MbufArray(Math.min(slots.length, 256));
    long bytesBefore = bytesOut;
    long packets = 0;
    for (int count = move(left); count > 0; count = move(left)) {
      pools.free(left.address(), count);
      left.clear();
      packets += count;
    }
    long packetsBefore = lostPackets;
    long lostBytesBefore = lostBytes;
    lostPackets = packetsBefore + packets;
    lostBytes = lostBytesBefore + (bytesOut - bytesBefore);
  }

  /** Packets put in until now. Any thread, as with all the numbers that follow. */
  long packetsIn() {
    return (long) TAIL.getAcquire(this);
  }

  long bytesIn() {
    return (long) BYTES_IN.getOpaque(this);
  }

  /** Packets taken out until now, without those that were lost. */
  long packetsOut() {
    return (long) HEAD.getAcquire(this) - lostPackets;
  }

  long bytesOut() {
    return (long) BYTES_OUT.getOpaque(this) - lostBytes;
  }

  /** Packets that were still inside when the consumer closed. */
  long lostPackets() {
    return lostPackets;
  }

  private static IllegalStateException closed() {
    return new IllegalStateException("ring port is closed; open another");
  }

  private static VarHandle index(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(SpscRing.class, field, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
