package io.linerate.core.driver;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A ring of packets from one thread, the producer, to one other or the same, the consumer, without
 * a lock. What a burst brings is handed over together. It also carries other numbers than handles
 * of packets, and objects: see {@link #ofTokens}.
 *
 * <p>Both indices only grow, so that each is the number of packets that ever passed it. Each side
 * keeps the last value it saw of the other's index and looks again only when that does not suffice:
 * the cache line goes back and forth once for many bursts.
 *
 * <p>When both sides are closed nobody touches it, and whoever closed last empties it.
 */
public final class SpscRing {
  private static final VarHandle NUMBERS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle OBJECTS = MethodHandles.arrayElementVarHandle(Object[].class);

  private static final VarHandle WATCHED;

  static {
    try {
      WATCHED = MethodHandles.lookup().findVarHandle(SpscRing.class, "isWatched", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Longs before and after those of one side, so that nobody else's share their cache lines. */
  private static final int APART = 16;

  /** Packets that ever went in, or out. */
  private static final int INDEX = APART;

  /** The other side's index, as last seen. */
  private static final int SEEN = APART + 1;

  /** Bytes that ever went in, or out. */
  private static final int BYTES = APART + 2;

  /** Of the producer: its index when what was added is handed over. */
  private static final int ADDED = APART + 3;

  /** Of the consumer: what was freed. */
  private static final int LOST = APART + 3;

  private static final int LOST_BYTES = APART + 4;

  /** Of a consumer whose producer drops: the slot that it takes something from, and one more. */
  private static final int TAKING = APART + 5;

  private static final int SIDE = TAKING + 1 + APART;

  private static final int FREE_PACKETS = 256;

  private final long[] handles;

  /** When each packet was received; empty where nobody asks. */
  private final long[] receivedNs;

  /** Empty where none are carried. */
  private final @Nullable Object[] objects;

  private final boolean dropsOldest;
  private final int capacity;
  private final int mask;
  private final AtomicInteger openSides = new AtomicInteger(2);

  /** Written by the producer. */
  private final long[] in = new long[SIDE];

  /** Written by the consumer. */
  private final long[] out = new long[SIDE];

  /** Whether the consumer ever waits: only then the producer looks for {@link #waiter}. */
  private boolean isWatched;

  /** Called by the producer when it next hands something over. */
  private final AtomicReference<@Nullable Runnable> waiter = new AtomicReference<>();

  /** What the consumer has taken out last. */
  private long claimed;

  private @Nullable Object claimedObject;

  private volatile boolean producerClosed;
  private volatile boolean consumerClosed;

  /** A ring whose packets have no time of reception. */
  public SpscRing(int capacity) {
    this(capacity, false);
  }

  /**
   * @param capacity packets at most, at least 1
   * @param keepsTimes whether {@link #add} and {@link #firstReceivedNs} are used
   */
  public SpscRing(int capacity, boolean keepsTimes) {
    this(capacity, keepsTimes, false, false);
  }

  /**
   * A ring of numbers or objects that are no packets: nothing is freed with it.
   *
   * @param hasObjects whether {@link #addObject} is used
   * @param dropsOldest whether the producer uses {@link #dropOldest} while there is a consumer
   */
  public static SpscRing ofTokens(int capacity, boolean hasObjects, boolean dropsOldest) {
    return new SpscRing(capacity, false, hasObjects, dropsOldest);
  }

  private SpscRing(int capacity, boolean keepsTimes, boolean hasObjects, boolean dropsOldest) {
    if (capacity < 1 || capacity > 1 << 30) {
      throw new IllegalArgumentException(
          "ring has a bad capacity: capacity=" + capacity + "; 1 to 1073741824 is possible");
    }
    this.capacity = capacity;
    this.dropsOldest = dropsOldest;
    int slots = Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
    handles = new long[slots];
    receivedNs = new long[keepsTimes ? slots : 0];
    objects = new Object[hasObjects ? slots : 0];
    mask = slots - 1;
  }

  // --- the producer ---

  /** Packets that there is room for; exact only if it is less than {@code wanted}. */
  public int room(int wanted) {
    int room = (int) (in[SEEN] + capacity - in[ADDED]);
    if (room < wanted) {
      in[SEEN] = acquire(out, INDEX);
      room = (int) (in[SEEN] + capacity - in[ADDED]);
    }
    return room;
  }

  /** Takes one packet, for which there is {@link #room}. It is handed over by {@link #publish}. */
  public void add(long mbuf, long epochNs) {
    int slot = (int) in[ADDED] & mask;
    receivedNs[slot] = epochNs;
    handles[slot] = mbuf;
    in[ADDED]++;
  }

  /** As {@link #add}, of a number. */
  public void addNumber(long number) {
    handles[(int) in[ADDED] & mask] = number;
    in[ADDED]++;
  }

  /** As {@link #add}, of an object. */
  public void addObject(Object object) {
    int slot = (int) in[ADDED] & mask;
    objects[slot] = dropsOldest && acquire(out, TAKING) == slot + 1 ? new Again(object) : object;
    in[ADDED]++;
  }

  /**
   * An object in a slot that the consumer has taken another from, and not cleared yet: it may be
   * the same object, and must not be cleared.
   */
  private record Again(Object object) {}

  /** What was added, and not handed over. */
  public int added() {
    return (int) (in[ADDED] - in[INDEX]);
  }

  /** Hands over what was added. */
  public void publish() {
    NUMBERS.setRelease(in, INDEX, in[ADDED]);
    if ((boolean) WATCHED.getOpaque(this)) {
      wakeConsumer();
    }
  }

  private void wakeConsumer() {
    VarHandle.fullFence(); // What was handed over is seen, or the waiter is.
    Runnable asleep = waiter.get() == null ? null : waiter.getAndSet(null);
    if (asleep != null) {
      asleep.run();
    }
  }

  /**
   * Takes packets {@code [from, packets.size())} of an array, or as many of them as there is room
   * for: none when the consumer has closed.
   *
   * @return their number
   */
  public int put(MbufArray packets, int from) {
    int wanted = packets.size() - from;
    int count = consumerClosed ? 0 : Math.min(wanted, room(wanted));
    if (count == 0) {
      return 0;
    }
    // Read before the packets are handed over: afterwards they are the consumer's.
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      long mbuf = packets.handle(from + i);
      bytes += Mbuf.packetLength(mbuf);
      handles[(int) (in[ADDED] + i) & mask] = mbuf;
    }
    NUMBERS.setOpaque(in, BYTES, in[BYTES] + bytes);
    in[ADDED] += count;
    publish();
    return count;
  }

  /**
   * Nothing more goes in.
   *
   * @return whether the caller has to empty the ring: it is the last to close
   */
  public boolean closeProducer() {
    if (producerClosed) {
      return false;
    }
    producerClosed = true;
    wakeConsumer();
    return openSides.decrementAndGet() == 0;
  }

  // --- the consumer, or whoever closed last ---

  /** Packets inside; exact only if they are fewer than {@code wanted}. */
  public int waiting(int wanted) {
    int waiting = (int) (out[SEEN] - out[INDEX]);
    if (waiting < wanted) {
      out[SEEN] = acquire(in, INDEX);
      waiting = (int) (out[SEEN] - out[INDEX]);
    }
    return waiting;
  }

  /** The oldest packet; {@link #waiting} has said that there is one. */
  public long first() {
    return handles[(int) out[INDEX] & mask];
  }

  /**
   * Takes the oldest token out, for {@link #claimed} or {@link #claimedObject}.
   *
   * @return false if there is none
   */
  public boolean claimFirst() {
    if (dropsOldest) {
      return claimContended();
    }
    if (waiting(1) == 0) {
      return false;
    }
    int slot = (int) out[INDEX] & mask;
    claimed = handles[slot];
    if (objects.length > 0) {
      claimedObject = objects[slot];
      objects[slot] = null;
    }
    removeFirst();
    return true;
  }

  private boolean claimContended() {
    while (true) {
      long index = acquire(out, INDEX);
      if (index == acquire(in, INDEX)) {
        return false;
      }
      int slot = (int) index & mask;
      claimed = handles[slot];
      if (objects.length > 0 ? claimObject(index, slot) : claim(index)) {
        return true;
      }
    }
  }

  private boolean claim(long index) {
    return NUMBERS.compareAndSet(out, INDEX, index, index + 1);
  }

  /** Clears the slot, unless the producer has used it again. */
  private boolean claimObject(long index, int slot) {
    NUMBERS.setOpaque(out, TAKING, slot + 1L); // Seen by who sees that the slot is free.
    Object object = objects[slot];
    if (!claim(index)) {
      return false;
    }
    OBJECTS.compareAndSet(objects, slot, object, (Object) null);
    NUMBERS.setRelease(out, TAKING, 0L);
    claimedObject = object instanceof Again again ? again.object() : object;
    return true;
  }

  /** The number that was taken out last. */
  public long claimed() {
    return claimed;
  }

  /** The object that was taken out last. */
  public Object claimedObject() {
    Object object = Objects.requireNonNull(claimedObject);
    claimedObject = null;
    return object;
  }

  /**
   * Takes the oldest token out, which is lost, in favor of another: for the producer, and for
   * whoever closed last.
   *
   * @return whether there was one, and nobody else has taken it
   */
  public boolean dropOldest() {
    long index = acquire(out, INDEX);
    if (index == acquire(in, INDEX) || !claim(index)) {
      return false;
    }
    if (objects.length > 0) {
      objects[(int) index & mask] = null;
    }
    return true;
  }

  /** When the oldest packet was received, in ns since the epoch. */
  public long firstReceivedNs() {
    return receivedNs[(int) out[INDEX] & mask];
  }

  /** The oldest packet is the caller's from now on. */
  public void removeFirst() {
    NUMBERS.setRelease(out, INDEX, out[INDEX] + 1);
  }

  /**
   * Asks the producer to call something, once, when it hands over the next packet.
   *
   * @return whether it will; false if there are packets, or it may not have learned yet that it is
   *     asked such things, or has closed
   */
  public boolean wakeOnPackets(Runnable wake) {
    if (!isWatched) {
      WATCHED.setOpaque(this, true);
      return false;
    }
    waiter.set(wake);
    VarHandle.fullFence();
    return !producerClosed && size() == 0;
  }

  /**
   * Appends the oldest packets to an array, as far as it has room.
   *
   * @return their number
   */
  public int take(MbufArray packets) {
    int count = Math.min(packets.room(), waiting(packets.room()));
    if (count == 0) {
      return 0;
    }
    long start = out[INDEX];
    long target = packets.reserve(count);
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      long mbuf = handles[(int) (start + i) & mask];
      bytes += Mbuf.packetLength(mbuf);
      Handles.set(target, i, mbuf);
    }
    NUMBERS.setOpaque(out, BYTES, out[BYTES] + bytes);
    NUMBERS.setRelease(out, INDEX, start + count);
    packets.extend(count, null, bytes);
    return count;
  }

  /** Frees what is inside, and counts it as lost. */
  public void freeAll(PacketPools pools) {
    MbufArray left = new MbufArray(Math.min(handles.length, FREE_PACKETS));
    for (int count = take(left); count > 0; count = take(left)) {
      NUMBERS.setOpaque(out, LOST, out[LOST] + count);
      NUMBERS.setOpaque(out, LOST_BYTES, out[LOST_BYTES] + left.bytes());
      pools.free(left.address(), count);
      left.clear();
    }
  }

  /** Nothing more comes out; returns as {@link #closeProducer}. */
  public boolean closeConsumer() {
    if (consumerClosed) {
      return false;
    }
    consumerClosed = true;
    return openSides.decrementAndGet() == 0;
  }

  // --- any thread ---

  /** Packets at most. */
  public int capacity() {
    return capacity;
  }

  /** Packets inside. */
  public int size() {
    // In this order: the consumer never passes the producer.
    long gone = acquire(out, INDEX);
    return (int) (acquire(in, INDEX) - gone);
  }

  public boolean isProducerClosed() {
    return producerClosed;
  }

  public boolean isConsumerClosed() {
    return consumerClosed;
  }

  /** Whether nothing will ever come out again. */
  public boolean isExhausted() {
    // In this order: what the producer put in before it closed is seen.
    return producerClosed && size() == 0;
  }

  /** Packets that ever went in. */
  public long packetsIn() {
    return acquire(in, INDEX);
  }

  /** Bytes of all packets of {@link #put}. */
  public long bytesIn() {
    return (long) NUMBERS.getOpaque(in, BYTES);
  }

  /** Packets that ever came out, without those that were lost. */
  public long packetsOut() {
    return acquire(out, INDEX) - lostPackets();
  }

  /** Bytes of all packets of {@link #take}. */
  public long bytesOut() {
    return (long) NUMBERS.getOpaque(out, BYTES) - (long) NUMBERS.getOpaque(out, LOST_BYTES);
  }

  /** Packets that {@link #freeAll} has freed. */
  public long lostPackets() {
    return (long) NUMBERS.getOpaque(out, LOST);
  }

  private static long acquire(long[] side, int number) {
    return (long) NUMBERS.getAcquire(side, number);
  }
}
