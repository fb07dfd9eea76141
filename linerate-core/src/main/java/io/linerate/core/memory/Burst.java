package io.linerate.core.memory;

import io.linerate.core.time.EpochClock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Packets that were received together, in the native array that the driver filled.
 *
 * <p>Each packet ends once: it is dropped, or taken (by an output that sends it). The owner of the
 * burst ends it with {@link #finish}, which drops what is left as {@link DropReason#FORGOTTEN}, and
 * frees all dropped packets with one call.
 *
 * <p>Iterating makes no object: a burst has one cursor for loops, so that loops over one burst do
 * not nest, and one for {@link #packet}. Loops skip packets that are gone. Not safe for use by
 * several threads.
 */
public final class Burst implements Iterable<Packet> {
  /** Bit 0 of a slot, free because mbufs are aligned: its packet was dropped or taken. */
  private static final long GONE = 1;

  /**
   * A slot whose packet was taken. One that was dropped still has its handle, beside {@link #GONE}.
   */
  private static final long TAKEN = GONE;

  private static final long UNKNOWN = -1;

  private final int capacity;
  private final long address;
  private DropCounts drops;
  private final EpochClock clock;

  /** The cursor of loops. */
  private final Packet looping = new Packet(this);

  /** The cursor of {@link #packet}, which leaves loops alone. */
  private final Packet indexed = new Packet(this);

  private final Cursor iterator = new Cursor();

  // Keeps the array of handles alive as long as the burst.
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final Object handleMemory;

  private int size;

  /** Packets that were taken, and that were dropped one by one. */
  private int taken;

  private int dropped;

  /** Packets that were dropped with all others. */
  private int droppedTogether;

  /** All packets before this slot are gone, whatever their slots say. */
  private int goneBelow;

  private long cutSegments;
  private long receivedNs;

  /** Of the live packets; {@link #UNKNOWN} when nobody has asked since one left or changed. */
  private long bytes = UNKNOWN;

  private @Nullable PacketPool origin;

  public Burst(int capacity) {
    this(capacity, new DropCounts(), EpochClock.SYSTEM);
  }

  /**
   * @param capacity packets at most, 1 to 65,535
   * @param drops where dropped packets are counted
   */
  public Burst(int capacity, DropCounts drops, EpochClock clock) {
    if (capacity < 1 || capacity > 0xFFFF) {
      throw new IllegalArgumentException(
          "burst has a bad capacity: capacity=" + capacity + "; 1 to 65535 is possible");
    }
    this.capacity = capacity;
    this.drops = drops;
    this.clock = clock;
    var memory = Arena.ofAuto().allocate(8L * capacity, 64);
    handleMemory = memory;
    address = memory.address();
  }

  public int capacity() {
    return capacity;
  }

  /** Slots in use, those of packets that are gone included. */
  public int size() {
    return size;
  }

  /** Packets that are neither dropped nor taken. */
  public int live() {
    return size - taken - dropped - droppedTogether;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /**
   * Bytes of all packets that are neither dropped nor taken. Most drivers say how many they are;
   * otherwise, and when a packet has left or changed since, they are added up when asked for.
   */
  public long bytes() {
    if (bytes == UNKNOWN) {
      bytes = sumOfBytes();
    }
    return bytes;
  }

  private long sumOfBytes() {
    long sum = 0;
    for (int i = goneBelow; i < size; i++) {
      long slot = Handles.get(address, i);
      if ((slot & GONE) == 0) {
        sum += Mbuf.packetLength(slot);
      }
    }
    return sum;
  }

  public DropCounts drops() {
    return drops;
  }

  /**
   * From now on counts dropped packets in {@code target}.
   *
   * @return where they were counted before
   */
  public DropCounts drops(DropCounts target) {
    DropCounts before = drops;
    drops = target;
    return before;
  }

  /**
   * The second cursor, moved to packet {@code index}.
   *
   * @throws IllegalStateException if that packet was sent or dropped
   */
  public Packet packet(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException(
          "no such packet in the burst: index=" + index + ", size=" + size);
    }
    long slot = Handles.get(address, index);
    if (index < goneBelow || (slot & GONE) != 0) {
      throw gone(index);
    }
    indexed.attach(index, slot);
    return indexed;
  }

  @Override
  public Iterator<Packet> iterator() {
    iterator.restart();
    return iterator;
  }

  /**
   * Reads the length of every packet, and eight bytes at each of two offsets: those of the packet
   * in slot {@code i} go to {@code lengthsBytes[i]}, {@code target[i]} and {@code otherTarget[i]},
   * as {@link Packet#u64(int)} reads them. Faster than a loop over packets.
   *
   * @return whether every packet of the burst is live and has these bytes in its first segment; if
   *     not, the arrays hold nothing of use, and packets are to be read one by one
   * @throws IndexOutOfBoundsException if an offset is negative or an array shorter than {@link
   *     #size}
   */
  public boolean u64s(
      int[] lengthsBytes, int offset, long[] target, int otherOffset, long[] otherTarget) {
    Objects.checkFromIndexSize(0, size, lengthsBytes.length);
    Objects.checkFromIndexSize(0, size, target.length);
    Objects.checkFromIndexSize(0, size, otherTarget.length);
    Objects.checkFromIndexSize(offset, 8, Integer.MAX_VALUE);
    Objects.checkFromIndexSize(otherOffset, 8, Integer.MAX_VALUE);
    return areAllLive()
        && Columns.u64s(address, size, lengthsBytes, offset, target, otherOffset, otherTarget);
  }

  /**
   * Gives the same bytes to every packet from slot {@code from} on: packets that a pool has just
   * made. Faster than {@link Packet#append(MemorySegment, long, int)} to each of them.
   *
   * @param count bytes, 0 to 65,535
   * @return whether every packet of the burst is live, and those from {@code from} on were empty
   *     with room for them in their only segment; if not, nothing has changed
   * @throws IndexOutOfBoundsException if {@code from} is not in 0 to {@link #size}, or {@code
   *     source} has not that many bytes
   */
  public boolean fill(int from, MemorySegment source, long sourceOffset, int count) {
    Objects.checkIndex(from, size + 1);
    Objects.checkFromIndexSize(sourceOffset, count, source.byteSize());
    Objects.checkFromToIndex(0, count, Mbuf.MAX_SEGMENT_BYTES);
    if (!areAllLive()
        || !Columns.fill(
            Handles.address(address, from), size - from, source, sourceOffset, count)) {
      return false;
    }
    bytes = from == 0 ? (long) size * count : UNKNOWN;
    looping.detach();
    indexed.detach();
    return true;
  }

  private boolean areAllLive() {
    return (taken | dropped | droppedTogether) == 0;
  }

  /** Drops every packet that is left. */
  public void dropAll(DropReason reason) {
    int left = live();
    if (left > 0) {
      drops.add(reason, left);
      droppedTogether += left;
    }
    goneBelow = size;
    bytes = 0;
    iterator.end = 0;
    looping.detach();
    indexed.detach();
  }

  /**
   * Drops the packets in slots {@code from} to {@code to - 1}. Faster than one by one.
   *
   * @throws IllegalStateException if one of them was sent or dropped: then none is dropped
   * @throws IndexOutOfBoundsException unless {@code 0 <= from <= to <=} {@link #size}
   */
  public void drop(int from, int to, DropReason reason) {
    Objects.checkFromToIndex(from, to, size);
    if (to - from == size && areAllLive()) {
      dropAll(reason);
      return;
    }
    for (int i = from; i < to; i++) {
      if (i < goneBelow || (Handles.get(address, i) & GONE) != 0) {
        throw gone(i);
      }
    }
    for (int i = from; i < to; i++) {
      Handles.set(address, i, Handles.get(address, i) | GONE);
    }
    if (from < to) {
      drops.add(reason, to - from);
      dropped += to - from;
      bytes = UNKNOWN;
      iterator.leave(to - 1);
      detachFrom(looping, from, to);
      detachFrom(indexed, from, to);
    }
  }

  private static void detachFrom(Packet cursor, int from, int to) {
    if (from <= cursor.index() && cursor.index() < to) {
      cursor.detachFrom(cursor.index());
    }
  }

  void drop(int index, long mbuf, int lengthBytes, DropReason reason) {
    Handles.set(address, index, mbuf | GONE);
    drops.add(reason, 1);
    dropped++;
    leave(index, lengthBytes);
  }

  void take(int index, int lengthBytes) {
    Handles.set(address, index, TAKEN);
    taken++;
    leave(index, lengthBytes);
  }

  /**
   * Appends the bytes of packet {@code tail} to packet {@code head}, without copying them: its
   * segments become the last ones of the other's. It is counted as dropped, since it ends here.
   *
   * @return false if they are not all of one pool, to which a packet goes home as a whole: then
   *     nothing has changed
   * @throws IllegalStateException if one of them was sent or dropped
   */
  public boolean join(int head, int tail, DropReason reason) {
    if (head == tail) {
      throw new IllegalArgumentException("packet cannot be joined to itself: index=" + head);
    }
    long first = liveHandle(head);
    long second = liveHandle(tail);
    if (!SegmentChain.append(first, second)) {
      return false;
    }
    Handles.set(address, tail, TAKEN);
    drops.add(reason, 1);
    taken++;
    leave(tail, 0);
    reshaped(head);
    return true;
  }

  private long liveHandle(int index) {
    packet(index);
    return handle(index);
  }

  private void leave(int index, int lengthBytes) {
    long before = bytes;
    iterator.leave(index);
    reshaped(index);
    bytes = before == UNKNOWN ? UNKNOWN : before - lengthBytes;
  }

  void reshaped(int index) {
    bytes = UNKNOWN;
    looping.detachFrom(index);
    indexed.detachFrom(index);
  }

  /**
   * Takes all packets, if none is gone. The burst is empty then.
   *
   * @param target address of an array with room for {@link #size} handles
   * @return whether they were taken
   */
  public boolean takeAll(long target) {
    if (!areAllLive()) {
      return false;
    }
    Handles.copy(address, target, size);
    size = 0;
    bytes = UNKNOWN;
    iterator.restart();
    looping.detach();
    indexed.detach();
    return true;
  }

  /**
   * Time at which the burst was received, in ns since the epoch: read from the clock when first
   * asked for.
   */
  public long receivedNs() {
    if (receivedNs == 0) {
      receivedNs = clock.epochNs();
    }
    return receivedNs;
  }

  /** The pool that all packets are of, or null when they may be of several. */
  public @Nullable PacketPool origin() {
    return origin;
  }

  // --- for drivers and owners ---

  /** Address of the array of handles, for the driver to fill. */
  public long handles() {
    return address;
  }

  /** The handle in slot {@code index}, 0 when it was taken. */
  public long handle(int index) {
    long slot = Handles.get(address, index);
    return slot == TAKEN ? 0 : slot & ~GONE;
  }

  /** Slots that are free. */
  public int room() {
    return capacity - size;
  }

  /**
   * Address of the next free slots.
   *
   * @throws IllegalArgumentException if there are fewer than {@code count}
   */
  public long reserve(int count) {
    if (count < 0 || count > room()) {
      throw new IllegalArgumentException(
          "burst has not that much room: wanted=" + count + ", room=" + room());
    }
    return Handles.address(address, size);
  }

  /**
   * Says that {@code count} handles of packets of pool {@code from} were written to the next free
   * slots; null: of any pools.
   */
  @SuppressWarnings("ReferenceEquality")
  public void extend(int count, @Nullable PacketPool from) {
    if (count == 0) {
      return;
    }
    bytes = UNKNOWN;
    origin = size == 0 || origin == from ? from : null;
    size += count;
  }

  /**
   * Says that {@code count} handles of packets of pool {@code from} were written to the next free
   * slots, of a driver that knows how many bytes they have: the sum is not made again.
   *
   * @param bytesMore of these packets, all segments together
   */
  public void extend(int count, @Nullable PacketPool from, long bytesMore) {
    long before = size == 0 ? 0 : bytes;
    extend(count, from);
    if (before != UNKNOWN) {
      bytes = before + bytesMore;
    }
  }

  /**
   * Says that {@code count} handles of packets of any pools were written to the next free slots.
   */
  public void extend(int count) {
    origin = null;
    bytes = UNKNOWN;
    size += count;
  }

  /**
   * Takes a packet over from its burst.
   *
   * @throws IllegalArgumentException if there is no room
   */
  public void add(Packet packet) {
    long slot = reserve(1);
    PacketPool from = packet.burstOrigin();
    Handles.set(slot, 0, packet.take());
    extend(1, from);
  }

  /** Adds one packet of any pool. */
  public void append(long mbuf) {
    Handles.set(reserve(1), 0, mbuf);
    extend(1);
  }

  /**
   * Drops the packet that a cursor is at, that of a loop first: for the owner whose handler threw.
   */
  public void dropCurrent(DropReason reason) {
    if (looping.isLive()) {
      looping.drop(reason);
    } else if (indexed.isLive()) {
      indexed.drop(reason);
    }
  }

  /**
   * Ends the burst: drops what is left as {@link DropReason#FORGOTTEN} and hands all that was
   * dropped to {@code home}.
   *
   * @return the number of packets handed over
   */
  public int finish(FreeBuffer home) {
    dropAll(DropReason.FORGOTTEN);
    int count = size - taken;
    if (count > 0) {
      if (taken + dropped > 0) {
        compact();
      }
      home.add(address, count, origin);
    }
    if (cutSegments != 0) {
      freeCutSegments(home);
    }
    clear();
    return count;
  }

  /** Forgets the packets, whose owner is somebody else by now. */
  public void clear() {
    size = 0;
    taken = 0;
    dropped = 0;
    droppedTogether = 0;
    goneBelow = 0;
    receivedNs = 0;
    bytes = UNKNOWN;
    looping.detach();
    indexed.detach();
  }

  void cut(long segments) {
    if (segments != 0) {
      Mbuf.next(SegmentChain.last(segments), cutSegments);
      cutSegments = segments;
    }
  }

  void replaceHead(int index, long oldHead, long newHead) {
    Handles.set(address, index, newHead);
    cut(oldHead);
  }

  private void freeCutSegments(FreeBuffer home) {
    long segment = cutSegments;
    cutSegments = 0;
    while (segment != 0) {
      long next = Mbuf.next(segment);
      Mbuf.next(segment, 0);
      Mbuf.segments(segment, 1);
      Handles.set(address, 0, segment);
      home.add(address, 1, null);
      segment = next;
    }
  }

  IllegalStateException gone(int index) {
    String state =
        index < 0 || index >= size
            ? "ended"
            : Handles.get(address, index) == TAKEN ? "sent" : "dropped";
    return new IllegalStateException(
        "packet is gone: index="
            + index
            + ", state="
            + state
            + "; read it before it is sent or dropped");
  }

  /** Moves the handles that were not taken together, without marks. */
  private void compact() {
    int to = 0;
    for (int from = 0; from < size; from++) {
      long slot = Handles.get(address, from);
      if (slot != TAKEN) {
        Handles.set(address, to++, slot & ~GONE);
      }
    }
  }

  /** The one iterator of the burst. It stands where the looping cursor stands. */
  private final class Cursor implements Iterator<Packet> {
    /** Slots before this one that the loop has not reached are live; 0 when some may be gone. */
    private int end;

    void restart() {
      looping.park(goneBelow - 1);
      end = taken + dropped == 0 ? size : 0;
    }

    /** Says that a packet is gone. */
    void leave(int index) {
      if (index > looping.index()) {
        end = 0;
      }
    }

    @Override
    public boolean hasNext() {
      return looping.index() + 1 < end || skip();
    }

    private boolean skip() {
      int next = looping.index() + 1;
      while (next < size && (next < goneBelow || (Handles.get(address, next) & GONE) != 0)) {
        looping.park(next++);
      }
      return next < size;
    }

    @Override
    public Packet next() {
      if (!hasNext()) {
        throw new NoSuchElementException("burst has no more packets: size=" + size);
      }
      int next = looping.index() + 1;
      looping.attach(next, Handles.get(address, next));
      return looping;
    }
  }
}
