package io.linerate.core.memory;

import static io.linerate.core.driver.NativeMemory.ADDRESS_BITS;
import static io.linerate.core.driver.NativeMemory.ALL;
import static io.linerate.core.driver.NativeMemory.HOST_U64;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPool;
import io.linerate.core.time.EpochClock;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Packets that were received together, where the driver put them: what a handler is given.
 *
 * <p>Each packet ends once: it is dropped, sent by an output, or kept by what the worker offers for
 * that. What a handler leaves is dropped as {@link DropReason#FORGOTTEN} when the burst ends, and
 * all dropped packets are freed with one call.
 *
 * <p>Iterating makes no object: a burst has one cursor for loops, so that loops over one burst do
 * not nest, and one for {@link #packet}. Loops skip packets that are gone.
 *
 * <p>The owner's thread alone may touch a burst and its packets; on any other every method but the
 * numbers of packets throws {@link WrongThreadException}, naming both.
 */
public final class Burst implements Iterable<Packet> {
  /** Bit 0 of a slot, free because mbufs are aligned: its packet was dropped or taken. */
  private static final long GONE = 1;

  /**
   * A slot whose packet was taken. One that was dropped still has its handle, beside {@link #GONE}.
   */
  private static final long TAKEN = GONE;

  private static final long UNKNOWN = MbufArray.UNKNOWN;

  private final MbufArray array;
  private DropCounts drops;
  private final EpochClock clock;
  final BurstOwner owner;

  /** The cursor of loops. */
  private final Packet looping;

  /** The cursor of {@link #packet}, which leaves loops alone. */
  private final Packet indexed;

  private final Cursor iterator = new Cursor();

  /** Packets that were taken, or dropped. */
  private int gone;

  /** Of these, packets that were taken. */
  private int taken;

  /** Whether slots may have marks: packets that are dropped with all others have none. */
  private boolean isMarked;

  /** All packets before this slot are gone, whatever their slots say. */
  private int goneBelow;

  /**
   * No packet behind this slot is gone: loops look at no mark there, and the compiler makes a loop
   * without them of what is behind.
   */
  private int lastGone = -1;

  /**
   * A packet that is being taken, 0 if none is: the stack may end when its slot is empty already.
   */
  private long taking;

  private int takingIndex;
  private long cutSegments;
  private long receivedNs;

  /** Of the packets in the slots, where these did not come together. */
  private @Nullable SlotRecords records;

  /**
   * Goes up whenever a packet leaves or gets another shape: what was known of the bytes of one is
   * to be looked at again then.
   */
  private int changes;

  /** Goes up whenever slots get other packets. */
  private int fills;

  Burst(MbufArray array, DropCounts drops, EpochClock clock, BurstOwner owner) {
    this.array = array;
    this.drops = drops;
    this.clock = clock;
    this.owner = owner;
    looping = new Packet(this);
    indexed = new Packet(this);
  }

  public int capacity() {
    return array.capacity();
  }

  /** Slots in use, those of packets that are gone included. */
  public int size() {
    return array.size();
  }

  /** Packets that are neither dropped nor taken. */
  public int live() {
    return array.size() - gone;
  }

  public boolean isEmpty() {
    return array.isEmpty();
  }

  /**
   * Which of the up to 64 packets in the slots from {@code from} on are neither dropped nor taken.
   *
   * @return bit i: packet {@code from + i} is
   * @throws IndexOutOfBoundsException if {@code from} is not in 0 to {@link #size}
   */
  public long live(int from) {
    owner.require();
    int count = countFrom(from);
    long live = count == 0 ? 0 : -1L >>> (Long.SIZE - count);
    for (int i = 0; i < count && from + i <= lastGone; i++) {
      if (isGone(from + i)) {
        live &= ~(1L << i);
      }
    }
    return live;
  }

  private int countFrom(int from) {
    Objects.checkIndex(from, array.size() + 1);
    return Math.min(Long.SIZE, array.size() - from);
  }

  /**
   * Bytes of all packets that are neither dropped nor taken. Most drivers say how many they are;
   * otherwise, and when a packet has left or changed since, they are added up when asked for.
   */
  public long bytes() {
    owner.require();
    long bytes = array.bytes();
    if (bytes == UNKNOWN) {
      bytes = sumOfBytes();
      array.bytes(bytes);
    }
    return bytes;
  }

  private long sumOfBytes() {
    long sum = 0;
    int size = array.size();
    for (int i = goneBelow; i < size; i++) {
      long slot = Handles.get(array.address(), i);
      if ((slot & GONE) == 0) {
        sum += Mbuf.packetLength(slot);
      }
    }
    return sum;
  }

  /**
   * The second cursor, moved to packet {@code index}.
   *
   * @throws IllegalStateException if that packet was sent or dropped
   * @throws IndexOutOfBoundsException if there is none
   */
  public Packet packet(int index) {
    owner.require();
    if (index < 0 || index >= array.size()) {
      throw new IndexOutOfBoundsException(
          "no such packet in the burst: index=" + index + ", size=" + array.size());
    }
    long slot = Handles.get(array.address(), index);
    if (isGone(index, slot)) {
      throw gone(index);
    }
    indexed.attach(index, slot);
    return indexed;
  }

  @Override
  public Iterator<Packet> iterator() {
    owner.require();
    iterator.restart();
    return iterator;
  }

  /**
   * Gives each packet to {@code action}, as a loop does that stands alone, and faster: the cursor
   * is moved by one loop here, which the compiler makes one piece with an action whose class it
   * knows, such as a final class of a field or a lambda.
   */
  @Override
  public void forEach(Consumer<? super Packet> action) {
    owner.require();
    for (int i = 0; i < array.size(); i++) {
      if (loop(i) != null) {
        action.accept(looping);
      }
    }
    endLoop();
  }

  /** See {@link BurstOwner#loop}. Unchecked. */
  @Nullable Packet loop(int index) {
    long slot = ALL.get(HOST_U64, (array.address() & ADDRESS_BITS) + 8L * index);
    if (isGone(index, slot)) {
      return null;
    }
    looping.attach(index, slot);
    return looping;
  }

  /** See {@link BurstOwner#test}. */
  long test(int from, HandlePredicate test) {
    owner.require();
    int count = countFrom(from);
    if (count == 0) {
      return 0;
    }
    return from > lastGone
        ? test.test(this, from, count, Handles.address(array.address(), from))
        : testEach(from, test);
  }

  private long testEach(int from, HandlePredicate test) {
    long accepted = 0;
    for (long left = live(from); left != 0; left &= left - 1) {
      int i = Long.numberOfTrailingZeros(left);
      accepted |= test.test(this, from + i, 1, Handles.address(array.address(), from + i)) << i;
    }
    return accepted;
  }

  /** Whether the packet in a slot has left. */
  boolean isGone(int index) {
    return isGone(index, Handles.get(array.address(), index));
  }

  private boolean isGone(int index, long slot) {
    return index <= lastGone && ((slot & GONE) != 0 || index < goneBelow);
  }

  /** See {@link BurstOwner#endLoop}. */
  void endLoop() {
    looping.detach();
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
    owner.require();
    int size = array.size();
    Objects.checkIndex(from, size + 1);
    Objects.checkFromIndexSize(sourceOffset, count, source.byteSize());
    Objects.checkFromToIndex(0, count, Mbuf.MAX_SEGMENT_BYTES);
    if (!areAllLive()
        || !BurstFill.fill(
            Handles.address(array.address(), from), size - from, source, sourceOffset, count)) {
      return false;
    }
    array.bytes(from == 0 ? (long) size * count : UNKNOWN);
    detach();
    return true;
  }

  /** By the marks, not by the count: a stack that ended in a drop leaves the former only. */
  private boolean areAllLive() {
    return lastGone < 0;
  }

  /** Drops every packet that is left. */
  public void dropAll(DropReason reason) {
    owner.require();
    Objects.requireNonNull(reason, "reason");
    int size = array.size();
    if (owner.showsDrops()) {
      showDrops(goneBelow, size, reason);
    }
    int left = live();
    changes++;
    detach();
    array.bytes(UNKNOWN); // Until it is asked for: then it is the sum of none.
    if (left > 0) {
      drops.add(reason, left);
    }
    goneBelow = size;
    lastGone = size - 1;
    gone += left;
  }

  /**
   * Drops the packets in slots {@code from} to {@code to - 1}. Faster than one by one.
   *
   * @throws IllegalStateException if one of them was sent or dropped: then none is dropped
   * @throws IndexOutOfBoundsException unless {@code 0 <= from <= to <=} {@link #size}
   */
  public void drop(int from, int to, DropReason reason) {
    owner.require();
    Objects.checkFromToIndex(from, to, array.size());
    if (to - from == array.size() && areAllLive()) {
      dropAll(reason);
      return;
    }
    Objects.requireNonNull(reason, "reason");
    for (int i = from; i < to; i++) {
      if (isGone(i, Handles.get(array.address(), i))) {
        throw gone(i);
      }
    }
    if (from == to) {
      return;
    }
    if (owner.showsDrops()) {
      showDrops(from, to, reason);
    }
    array.bytes(UNKNOWN);
    changes++;
    mark(to - 1);
    detachFrom(looping, from, to);
    detachFrom(indexed, from, to);
    for (int i = from; i < to; i++) {
      Handles.set(array.address(), i, Handles.get(array.address(), i) | GONE);
    }
    drops.add(reason, to - from);
    gone += to - from;
  }

  private void showDrops(int from, int to, DropReason reason) {
    for (int i = from; i < to; i++) {
      long slot = Handles.get(array.address(), i);
      if (!isGone(i, slot)) {
        showDrop(i, slot, reason);
      }
    }
  }

  private void showDrop(int index, long mbuf, DropReason reason) {
    long ns = Mbuf.hasTimestamp(mbuf) ? Mbuf.timestampNs(mbuf) : receivedNs(index);
    MappedFileFault.settle(mbuf); // What is thrown of its reading is not the tap's.
    owner.showDrop(mbuf, ns, reason, drops);
  }

  private static void detachFrom(Packet cursor, int from, int to) {
    if (from <= cursor.index() && cursor.index() < to) {
      cursor.detachFrom(cursor.index());
    }
  }

  /**
   * Time at which the burst was received, in ns since the epoch: read from the clock when first
   * asked for.
   */
  public long receivedNs() {
    owner.require();
    if (receivedNs == 0) {
      receivedNs = clock.epochNs();
    }
    return receivedNs;
  }

  // The stack of a handler that recurses without end may end inside any method here. The order of
  // its steps says what is lost then. A packet is out of every cursor's reach before its slot says
  // that it is gone, and that before it is counted, with no call between its two counts: so none
  // ends twice, and what is marked and not counted is counted as forgotten when the burst ends. A
  // slot is empty before its handle goes elsewhere, so that none is freed twice.

  // --- for packets, which are cursors of their burst ---

  long receivedNs(int index) {
    return records == null ? receivedNs() : records.receivedNs(index);
  }

  void drop(int index, long mbuf, int lengthBytes, DropReason reason) {
    if (owner.showsDrops()) {
      showDrop(index, mbuf, reason);
    }
    long before = array.bytes();
    mark(index);
    reshaped(index);
    Handles.set(array.address(), index, mbuf | GONE);
    drops.add(reason, 1);
    gone++;
    array.bytes(before == UNKNOWN ? UNKNOWN : before - lengthBytes);
  }

  /** The slot, or one before it, is about to get a mark. */
  private void mark(int index) {
    isMarked = true;
    lastGone = Math.max(lastGone, index);
  }

  private void leave(int index, int lengthBytes) {
    long before = array.bytes();
    mark(index);
    reshaped(index);
    array.bytes(before == UNKNOWN ? UNKNOWN : before - lengthBytes);
  }

  void reshaped(int index) {
    changes++;
    array.bytes(UNKNOWN);
    looping.detachFrom(index);
    indexed.detachFrom(index);
  }

  /** The handle in slot {@code index}, 0 when it was taken. */
  long handle(int index) {
    long slot = Handles.get(array.address(), index);
    return slot == TAKEN ? 0 : slot & ~GONE;
  }

  void cut(long segments) {
    if (segments != 0) {
      Mbuf.next(SegmentChain.last(segments), cutSegments);
      cutSegments = segments;
    }
  }

  void replaceHead(int index, long oldHead, long newHead) {
    Handles.set(array.address(), index, newHead);
    SegmentChain.unlink(oldHead, newHead);
    cut(oldHead);
  }

  IllegalStateException gone(int index) {
    boolean isIn = index >= 0 && index < array.size();
    long slot = isIn ? Handles.get(array.address(), index) : GONE;
    String state =
        !isIn
            ? "ended"
            : !isGone(index, slot)
                ? "ended, or lengthened or shortened by another cursor"
                : slot == TAKEN ? "sent" : "dropped";
    return new IllegalStateException(
        "packet is gone: index="
            + index
            + ", state="
            + state
            + "; read it before it is sent or dropped");
  }

  // --- for the owner ---

  DropCounts drops() {
    return drops;
  }

  void drops(DropCounts target) {
    drops = target;
  }

  /** Slots that are free. */
  int room() {
    return array.room();
  }

  /** Takes the packet in slot {@code index} out of the burst: the caller owns it from now on. */
  long take(int index, int lengthBytes) {
    long mbuf = beginTake(index, lengthBytes);
    taken++;
    gone++;
    taking = 0;
    return mbuf;
  }

  /** Until it is counted, nobody has it. */
  private long beginTake(int index, int lengthBytes) {
    putBack();
    long mbuf = handle(index);
    leave(index, lengthBytes);
    takingIndex = index;
    taking = mbuf;
    Handles.set(array.address(), index, TAKEN);
    return mbuf;
  }

  /** A packet whose slot says that it was taken, and nobody has it: it is forgotten. */
  private void putBack() {
    if (taking != 0) {
      if (Handles.get(array.address(), takingIndex) == TAKEN) {
        Handles.set(array.address(), takingIndex, taking);
      }
      taking = 0;
    }
  }

  /** See {@link OwnedBurst#add}. */
  @SuppressWarnings("ReferenceEquality") // A burst is itself only.
  void add(Packet packet) {
    owner.requireOwn(packet.burst());
    PacketPool from = packet.burst().array.origin();
    if (packet.burst() == this) {
      throw new IllegalArgumentException(
          "packet is in this burst already: index=" + packet.index() + "; add it to another");
    }
    Handles.set(array.reserve(1), 0, packet.live());
    Burst source = packet.burst();
    source.beginTake(packet.index(), packet.lengthOrGone());
    array.extend(1, from);
    source.taken++; // No call stands between its being here and its not being there.
    source.gone++;
    source.taking = 0;
  }

  /** See {@link OwnedBurst#addAll}. */
  @SuppressWarnings("ReferenceEquality") // A burst is itself only.
  boolean addAll(Burst from) {
    owner.requireOwn(from);
    if (from == this || !from.areAllLive()) {
      return false;
    }
    from.detach();
    from.changes++;
    from.fills++;
    return array.takeAll(from.array) || copyAll(from);
  }

  private boolean copyAll(Burst from) {
    int size = from.array.size();
    if (size > array.room()) {
      return false;
    }
    PacketPool pool = from.array.origin();
    long bytes = from.array.bytes();
    Handles.copy(from.array.address(), array.reserve(size), size);
    from.array.clear();
    if (bytes == UNKNOWN) {
      array.extend(size, pool);
    } else {
      array.extend(size, pool, bytes);
    }
    return true;
  }

  /** See {@link OwnedBurst#addLeft}. */
  @SuppressWarnings("ReferenceEquality") // A burst is itself only.
  boolean addLeft(Burst from) {
    owner.requireOwn(from);
    from.putBack();
    int left = from.live();
    if (from == this || left > array.room()) {
      return false;
    }
    long source = from.array.address();
    long target = array.reserve(left);
    PacketPool pool = from.array.origin();
    int size = from.array.size();
    from.detach();
    from.changes++;
    from.mark(size - 1);
    int moved = 0;
    for (int i = from.goneBelow; i < size && moved < left; i++) {
      long slot = Handles.get(source, i);
      if ((slot & GONE) == 0) {
        Handles.set(source, i, TAKEN);
        Handles.set(target, moved++, slot);
      }
    }
    long bytes = from.array.bytes();
    from.array.bytes(UNKNOWN);
    if (bytes == UNKNOWN) {
      array.extend(moved, pool);
    } else {
      array.extend(moved, pool, bytes);
    }
    from.taken += moved;
    from.gone += moved;
    return true;
  }

  /** See {@link OwnedBurst#join}. */
  boolean join(int head, int tail, DropReason reason) {
    if (head == tail) {
      throw new IllegalArgumentException("packet cannot be joined to itself: index=" + head);
    }
    long first = liveHandle(head);
    long second = liveHandle(tail);
    if (!SegmentChain.canAppend(first, second)) {
      return false;
    }
    if (owner.showsDrops()) {
      showDrop(tail, second, reason);
    }
    leave(tail, 0);
    reshaped(head);
    Handles.set(array.address(), tail, TAKEN);
    drops.add(reason, 1);
    taken++;
    gone++;
    SegmentChain.append(first, second);
    return true;
  }

  private long liveHandle(int index) {
    packet(index);
    return handle(index);
  }

  /** See {@link BurstOwner#dropCurrent}. */
  void dropCurrent(DropReason reason) {
    if (looping.isLive()) {
      looping.drop(reason);
    } else if (indexed.isLive()) {
      indexed.drop(reason);
    }
  }

  // --- for those that remember where the bytes of packets are ---

  /** See {@link #changes}. */
  boolean isUnchanged(int since) {
    return changes == since;
  }

  int changes() {
    return changes;
  }

  int fills() {
    return fills;
  }

  /** The number of the packet in a slot, -1 if packets have none. */
  long number(int index) {
    return records == null ? -1 : records.number(index);
  }

  /**
   * Where a packet is.
   *
   * @param mbuf its handle
   * @param index where it was
   * @param fill {@link #fills} at that time
   * @param number of it, if packets have numbers
   * @return its slot, -1 if it has left
   */
  int find(long mbuf, int index, int fill, long number) {
    int at = records == null ? (fill == fills ? index : -1) : records.find(number, array.size());
    if (at < 0 || at >= array.size()) {
      return -1;
    }
    long slot = Handles.get(array.address(), at);
    return slot == mbuf && !isGone(at, slot) ? at : -1;
  }

  /** Packets that were dropped and are not freed yet. */
  int dropped() {
    return gone - taken;
  }

  /** From now on something is known of each packet; whoever adds one says what. */
  void records(SlotRecords ofSlots) {
    records = ofSlots;
  }

  /**
   * Frees what was dropped, and moves the packets that are left to the first slots, with what is
   * known of each.
   */
  void settle(FreeBuffer freeBuffer) {
    putBack();
    int size = array.size();
    lastGone = size - 1; // Whatever ends this before it is done, no slot is read without a look.
    int to = 0;
    int freed = 0;
    for (int from = 0; from < size; from++) {
      long slot = Handles.get(array.address(), from);
      if (slot == TAKEN) {
        continue;
      }
      Handles.set(array.address(), from, TAKEN);
      if (isGone(from, slot)) {
        freeBuffer.add(slot & ~GONE);
        freed++;
        continue;
      }
      Handles.set(array.address(), to, slot);
      if (records != null) {
        records.move(from, to);
      }
      to++;
    }
    if (freed > dropped()) {
      drops.add(DropReason.FORGOTTEN, freed - dropped()); // A stack ended before they were counted.
    }
    PacketPool from = array.origin();
    clear();
    array.extend(to, from);
    if (cutSegments != 0) {
      freeCutSegments(freeBuffer);
    }
  }

  /** See {@link OwnedBurst#finish}. */
  int finish(FreeBuffer freeBuffer) {
    int count = end();
    if (count > 0) {
      freeBuffer.add(array.address(), count, array.origin());
    }
    if (cutSegments != 0) {
      freeCutSegments(freeBuffer);
    }
    return count;
  }

  /** See {@link OwnedBurst#finishInPlace}. */
  void finishInPlace(FreeBuffer freeBuffer) {
    int count = end();
    if (count > 0) {
      freeBuffer.addInPlace(array.address(), count, array.origin());
    }
    if (cutSegments != 0) {
      freeCutSegments(freeBuffer);
    }
  }

  /** Drops what is left; returns how many packets lie in the first slots, to be freed. */
  private int end() {
    putBack();
    if (live() > 0) {
      dropAll(DropReason.FORGOTTEN);
    }
    int count = isMarked ? compact() : array.size();
    reset(); // No cursor is at a packet any more: none is left.
    return count;
  }

  /** Forgets the packets, whose owner is somebody else by now. */
  void clear() {
    reset();
    detach();
  }

  private void reset() {
    changes++;
    fills++;
    array.clear();
    gone = 0;
    taken = 0;
    isMarked = false;
    taking = 0;
    goneBelow = 0;
    lastGone = -1;
    receivedNs = 0;
  }

  private void detach() {
    looping.detach();
    indexed.detach();
  }

  private void freeCutSegments(FreeBuffer freeBuffer) {
    long segment = cutSegments;
    cutSegments = 0;
    while (segment != 0) {
      long next = Mbuf.next(segment);
      Mbuf.next(segment, 0);
      Mbuf.segments(segment, 1);
      freeBuffer.add(segment);
      segment = next;
    }
  }

  /** Moves the handles that were not taken together, without marks; returns their number. */
  private int compact() {
    int to = 0;
    int size = array.size();
    lastGone = size - 1;
    for (int from = 0; from < size; from++) {
      long slot = Handles.get(array.address(), from);
      if (slot != TAKEN) {
        Handles.set(array.address(), from, TAKEN);
        Handles.set(array.address(), to++, slot & ~GONE);
      }
    }
    return to;
  }

  /** The one iterator of the burst. It stands where the looping cursor stands. */
  private final class Cursor implements Iterator<Packet> {
    void restart() {
      looping.park(goneBelow - 1);
    }

    @Override
    public boolean hasNext() {
      int next = looping.index() + 1;
      return next > lastGone ? next < array.size() : skip();
    }

    private boolean skip() {
      owner.require();
      int size = array.size();
      int next = looping.index() + 1;
      while (next < size && isGone(next, Handles.get(array.address(), next))) {
        looping.park(next++);
      }
      return next < size;
    }

    @Override
    public Packet next() {
      owner.require();
      if (!hasNext()) {
        throw new NoSuchElementException("burst has no more packets: size=" + array.size());
      }
      int next = looping.index() + 1;
      looping.attach(next, Handles.get(array.address(), next));
      return looping;
    }
  }
}
