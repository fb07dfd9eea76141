package io.linerate.track;

import io.linerate.wire.FlowKey;
import io.linerate.wire.Ipv4;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one worker: found by the flow of either direction, bounded, and gone after a
 * time without packets. It allocates nothing once it is made. One thread's own.
 *
 * <p>A connection is a number, from 0 to {@link #capacity} - 1; what a key leads to is twice that
 * number, and one more for the reply direction: see {@link #find}. The table has two parts. The
 * index leads from a flow to a connection: words of 64 bits, eight for each connection that there
 * is room for, a quarter of them used at most, searched from where the flow's hash says to the next
 * empty one (linear probing; Knuth, The Art of Computer Programming 3, algorithms 6.4 L and R). The
 * hash has a secret of each table, so that nobody can have flows collide on purpose. The
 * connections themselves are records of {@link ConnectionRecords#WORDS} words. Neither has an
 * address of memory.
 */
public final class ConnectionTable {
  /** What {@link #find} returns for an unknown flow, and {@link #add} without room. */
  public static final int NONE = -1;

  public static final int MIN_CAPACITY = 8;

  /** All of it is some 17 GB then. */
  public static final int MAX_CAPACITY = 1 << 26;

  private static final int SLOTS_PER_CONNECTION = 8;

  /** Unassured connections that are looked for when there is no room for a new one. */
  private static final int MOST_LOOKED_AT = 16;

  private final int capacity;
  private final long[] index;
  private final int indexMask;
  private final ConnectionRecords records;
  private final ExpiryWheel wheel;
  private final IntConsumer onRemoval;
  private final long[] secret = new long[5];

  /** Records up to this one were used before. */
  private int used;

  /** The first of those that are free again, or {@link #NONE}. */
  private int firstFree = NONE;

  private int size;
  private int clockHand;

  /** Means nothing: so that no compiler leaves out what is read for it. */
  @SuppressWarnings("UnusedVariable")
  private long fetched;

  private @Nullable ConnectionChanges changes;

  private long added;
  private long expired;
  private long evicted;

  /**
   * @param capacity connections at most, {@link #MIN_CAPACITY} to {@link #MAX_CAPACITY}; each takes
   *     272 to 336 bytes of heap
   * @param nowNs the time now, of the clock that all times here are of
   * @param random makes the secret of the hash
   * @throws IllegalArgumentException if the capacity is out of range
   */
  public ConnectionTable(int capacity, long nowNs, RandomGenerator random) {
    this(capacity, nowNs, random, number -> {});
  }

  /**
   * As {@link #ConnectionTable(int, long, RandomGenerator)}.
   *
   * @param onRemoval is told the number of each connection before it goes; it must not change the
   *     table
   */
  public ConnectionTable(int capacity, long nowNs, RandomGenerator random, IntConsumer onRemoval) {
    this.onRemoval = onRemoval;
    if (capacity < MIN_CAPACITY || capacity > MAX_CAPACITY) {
      throw new IllegalArgumentException(
          "no such table: capacity=%d; give %d to %d connections"
              .formatted(capacity, MIN_CAPACITY, MAX_CAPACITY));
    }
    this.capacity = capacity;
    int slots = Integer.highestOneBit(capacity - 1) << 1;
    index = new long[slots * SLOTS_PER_CONNECTION];
    indexMask = index.length - 1;
    records = new ConnectionRecords(capacity);
    wheel = new ExpiryWheel(records, nowNs);
    Arrays.setAll(secret, i -> random.nextLong() | 1);
  }

  public int capacity() {
    return capacity;
  }

  /** Connections that are known now. */
  public int size() {
    return size;
  }

  /** Connections that were ever added. */
  public long added() {
    return added;
  }

  /** Connections that were ever removed: while it stays the same, numbers mean the same. */
  public long gone() {
    return added - size;
  }

  /** Connections that were removed because no packet came in time. */
  public long expired() {
    return expired;
  }

  /** Connections that were removed to make room for others: see {@link #add}. */
  public long evicted() {
    return evicted;
  }

  /** What is known of connections, by number. */
  public ConnectionRecords records() {
    return records;
  }

  // --- the index ---

  /**
   * Finds the connection of a flow.
   *
   * @return twice its number, and one more if the flow is its reply direction; {@link #NONE} if
   *     there is none
   */
  public int find(FlowKey flow) {
    return search(flow, hash(flow));
  }

  /** As {@link #find(FlowKey)}; one whose time is over goes, if nobody has looked at it yet. */
  public int find(FlowKey flow, long nowNs) {
    return unexpired(find(flow), nowNs);
  }

  private int unexpired(int place, long nowNs) {
    if (place != NONE && records.expiresNs(place >>> 1) <= nowNs) {
      remove(place >>> 1);
      return NONE;
    }
    return place;
  }

  private int search(FlowKey flow, long hash) {
    int tag = (int) (hash >>> 32);
    int at = tag & indexMask;
    while (true) {
      long word = index[at];
      if (word == 0) {
        return NONE;
      }
      if ((int) (word >>> 32) == tag && records.isFlow((int) word - 1, flow)) {
        return (int) word - 1;
      }
      at = (at + 1) & indexMask;
    }
  }

  /**
   * Where flows probably lead to, for many at once: what is waited for from memory comes together,
   * with the records that are looked at next.
   *
   * @param hashes of flows: {@link #hash(FlowKey)}
   * @param places to be filled: what {@link #find(FlowKey, long, int, boolean, long)} wants to know
   */
  void guess(long[] hashes, int[] places, int count) {
    long all = 0;
    for (int i = 0; i < count; i++) {
      all += index[(int) (hashes[i] >>> 32) & indexMask];
    }
    for (int i = 0; i < count; i++) {
      places[i] = probe((int) (hashes[i] >>> 32));
    }
    for (int i = 0; i < count; i++) {
      all += records.fetch(Math.max(places[i], 0));
    }
    fetched = all;
  }

  private int probe(int tag) {
    int at = tag & indexMask;
    while (true) {
      long word = index[at];
      if ((int) (word >>> 32) == tag || word == 0) {
        return (int) word - 1;
      }
      at = (at + 1) & indexMask;
    }
  }

  /**
   * As {@link #find(FlowKey, long)}, from where it led to or probably leads to; of a connection
   * that is gone the record has no flow any more.
   *
   * @param isSame whether no connection was added since it was guessed
   */
  int find(FlowKey flow, long hash, int guess, boolean isSame, long nowNs) {
    boolean isRight = guess == NONE ? isSame : records.isFlow(guess, flow);
    return unexpired(isRight ? guess : search(flow, hash), nowNs);
  }

  /** The hash of a flow in this table. */
  long hash(FlowKey flow) {
    if (flow.ipVersion() == Ipv4.VERSION) {
      return hash(ConnectionRecords.addresses(flow), ConnectionRecords.kind(flow));
    }
    return hash(
        flow.sourceHigh(),
        flow.sourceLow(),
        flow.destinationHigh(),
        flow.destinationLow(),
        ConnectionRecords.kind(flow));
  }

  /** Of a flow of IPv6. */
  private long hash(
      long sourceHigh, long sourceLow, long destinationHigh, long destinationLow, long kind) {
    long source = folded(sourceHigh ^ secret[0], sourceLow ^ secret[1]);
    long destination = folded(destinationHigh ^ secret[2], destinationLow ^ secret[3]);
    return folded(source ^ kind, destination ^ secret[4]);
  }

  /** Both halves of a product: each bit of one number depends on many of both. */
  private static long folded(long a, long b) {
    return (a * b) ^ Math.unsignedMultiplyHigh(a, b);
  }

  private void enter(int place, long hash) {
    int tag = (int) (hash >>> 32);
    int at = tag & indexMask;
    while (index[at] != 0) {
      at = (at + 1) & indexMask;
    }
    index[at] = ((long) tag << 32) | (place + 1);
  }

  /** Moves back what stands behind it and would not be found otherwise. */
  private void leave(int place, long hash) {
    int hole = (int) (hash >>> 32) & indexMask;
    while ((int) index[hole] != place + 1) {
      hole = (hole + 1) & indexMask;
    }
    int next = hole;
    while (true) {
      next = (next + 1) & indexMask;
      long word = index[next];
      if (word == 0) {
        index[hole] = 0;
        return;
      }
      int home = (int) (word >>> 32) & indexMask;
      if (((next - home) & indexMask) >= ((next - hole) & indexMask)) {
        index[hole] = word;
        hole = next;
      }
    }
  }

  // --- connections that come and go ---

  /**
   * Adds a connection. Neither flow may lead to another one. If there is no room, one goes that is
   * not {@link ConnectionRecords#isAssured assured}, if a few steps find one: connections that
   * nobody has answered do not keep out those that somebody does.
   *
   * @param flow of the packets that begin it
   * @param reply the flow of the packets that come back: the other direction, unless addresses are
   *     translated
   * @param expiresNs when it goes
   * @return its number, or {@link #NONE}
   */
  public int add(FlowKey flow, FlowKey reply, long nowNs, long expiresNs) {
    int number = take();
    if (number == NONE) {
      return NONE;
    }
    records.begin(number, flow, reply, nowNs, expiresNs);
    enter(2 * number, hash(flow));
    enter(2 * number + 1, hash(reply));
    wheel.add(number, expiresNs);
    size++;
    added++;
    changed(number);
    return number;
  }

  /**
   * Adds a connection as {@link ConnectionImage#write} has written it, in this or another program.
   * What follows of a TCP connection passes whatever its sequence numbers are: it may have gone on
   * meanwhile.
   *
   * @param image {@link ConnectionImage#WORDS} words
   * @return its number, or {@link #NONE}: there is none in the image, a flow of it is known here,
   *     or there is no room
   */
  public int restore(long[] image, long nowNs) {
    if (!ConnectionImage.isConnection(image)) {
      return NONE;
    }
    int number = take();
    if (number == NONE) {
      return NONE;
    }
    ConnectionImage.read(records, number, image, nowNs);
    if (isKnown(2 * number) || isKnown(2 * number + 1)) {
      records.clear(number);
      records.next(number, firstFree);
      firstFree = number;
      return NONE;
    }
    enter(2 * number, hash(number, 0));
    enter(2 * number + 1, hash(number, 1));
    wheel.add(number, records.expiresNs(number));
    size++;
    added++;
    changed(number);
    return number;
  }

  private boolean isKnown(int place) {
    int tag = (int) (hash(place >>> 1, place & 1) >>> 32);
    int at = tag & indexMask;
    while (index[at] != 0) {
      if ((int) (index[at] >>> 32) == tag && records.isSameFlow((int) index[at] - 1, place)) {
        return true;
      }
      at = (at + 1) & indexMask;
    }
    return false;
  }

  /** What changes from now on, and as the first all that is there: for one who asks. */
  public ConnectionChanges changes() {
    ConnectionChanges made = new ConnectionChanges(records, capacity);
    changes = made;
    made.refresh(capacity); // All that is there.
    return made;
  }

  /** Who keeps something in its record has changed it. */
  public void changed(int number) {
    ConnectionChanges there = changes;
    if (there != null) {
      there.note(number);
    }
  }

  private int take() {
    if (firstFree != NONE) {
      int number = firstFree;
      firstFree = records.next(number);
      return number;
    }
    if (used < capacity) {
      return used++;
    }
    for (int i = 0; i < MOST_LOOKED_AT; i++) {
      clockHand = clockHand + 1 == capacity ? 0 : clockHand + 1;
      if (!records.isAssured(clockHand)) {
        evicted++;
        remove(clockHand);
        return take();
      }
    }
    return NONE;
  }

  /**
   * Removes a connection.
   *
   * @throws IllegalArgumentException if there is none of this number
   */
  public void remove(int number) {
    records.requireLive(number);
    onRemoval.accept(number);
    wheel.remove(number);
    leave(2 * number, hash(number, 0));
    leave(2 * number + 1, hash(number, 1));
    records.clear(number);
    records.next(number, firstFree);
    firstFree = number;
    size--;
    changed(number);
  }

  /** As {@link #hash(FlowKey)}, of a flow of IPv4, as {@link ConnectionRecords} has it. */
  long hash(long addresses, long kind) {
    return folded(folded(addresses ^ secret[0], kind ^ secret[1]) ^ secret[2], secret[3]);
  }

  private long hash(int number, int direction) {
    int place = 2 * number + direction;
    if (records.ipVersion(place) == Ipv4.VERSION) {
      return hash(records.addresses(place), records.kind(place));
    }
    return hash(
        records.sourceHigh(place),
        records.sourceLow(place),
        records.destinationHigh(place),
        records.destinationLow(place),
        records.kind(place));
  }

  /**
   * Sets when a connection goes.
   *
   * @throws IllegalArgumentException if there is none of this number
   */
  public void expireAt(int number, long expiresNs) {
    records.requireLive(number);
    records.expiresNs(number, expiresNs);
    if (wheel.isLate(number, expiresNs)) {
      wheel.remove(number);
      wheel.add(number, expiresNs);
    }
  }

  /**
   * Removes connections whose time is over.
   *
   * @param most how many are looked at: the rest comes with the next call
   * @return how many were looked at
   */
  public int expire(long nowNs, int most) {
    int count = 0;
    while (count < most) {
      int number = wheel.due(nowNs);
      if (number == NONE) {
        break;
      }
      count++;
      if (records.expiresNs(number) <= nowNs) {
        remove(number);
        expired++;
      } else {
        wheel.remove(number);
        wheel.add(number, records.expiresNs(number));
      }
    }
    return count;
  }
}
