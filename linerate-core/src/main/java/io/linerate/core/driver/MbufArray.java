package io.linerate.core.driver;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * Packets that travel together as a driver sees them: a native array of handles, the addresses of
 * their {@link Mbuf}s. It is the array that {@code rte_eth_rx_burst} fills and {@code
 * rte_eth_tx_burst} reads; nobody copies pointers from one array to another.
 *
 * <p>Whoever holds an array answers for what is in it: a handle that is no packet's, or one that
 * stands in two arrays, corrupts memory. Handlers are given a {@code Burst} instead, which offers
 * neither. One thread's own.
 */
public final class MbufArray {
  /** What {@link #bytes} has when nobody knows the sum. */
  public static final long UNKNOWN = -1;

  /** Handles at most in any array: their number is a u16 for DPDK. */
  public static final int MAX_CAPACITY = 0xFFFF;

  private final int capacity;

  /** Handles that there is memory for. */
  private final int slots;

  private long address;

  // Keeps the array alive as long as this.
  private Object memory;

  private int size;
  private long bytes = UNKNOWN;
  private @Nullable PacketPool origin;

  /**
   * @param capacity handles at most, 1 to 65,535
   */
  public MbufArray(int capacity) {
    this(capacity, capacity);
  }

  /**
   * @param capacity handles at most, 1 to 65,535
   * @param slots to have memory for, {@code capacity} or more: as many as another array has, which
   *     can {@link #takeAll} then
   */
  public MbufArray(int capacity, int slots) {
    if (capacity < 1 || capacity > MAX_CAPACITY) {
      throw new IllegalArgumentException(
          "burst has a bad capacity: capacity=" + capacity + "; 1 to 65535 is possible");
    }
    if (slots < capacity) {
      throw new IllegalArgumentException(
          "burst has too little memory: slots="
              + slots
              + ", capacity="
              + capacity
              + "; give it as many or more");
    }
    this.capacity = capacity;
    this.slots = slots;
    var array = Arena.ofAuto().allocate(8L * slots, 64);
    memory = array;
    address = array.address();
  }

  /** Handles at most. */
  public int capacity() {
    return capacity;
  }

  /** Slots in use. */
  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** Slots that are free. */
  public int room() {
    return capacity - size;
  }

  /** Address of the first slot. */
  public long address() {
    return address;
  }

  /** The handle in slot {@code index}, which the caller knows to be in use. */
  public long handle(int index) {
    return Handles.get(address, index);
  }

  /** Writes slot {@code index}, which the caller knows to be in use. */
  public void handle(int index, long mbuf) {
    Handles.set(address, index, mbuf);
  }

  /** The pool that all packets are of, or null when they may be of several. */
  public @Nullable PacketPool origin() {
    return origin;
  }

  /** Bytes of all packets, or {@link #UNKNOWN}. */
  public long bytes() {
    return bytes;
  }

  /** Says what the sum is, or that nobody knows it any more. */
  public void bytes(long sum) {
    bytes = sum;
  }

  /**
   * Address of the next free slots.
   *
   * @throws IllegalArgumentException if there are fewer than {@code count}
   */
  public long reserve(int count) {
    requireRoom(count);
    return Handles.address(address, size);
  }

  /**
   * Says that {@code count} handles of packets of pool {@code from} were written to the next free
   * slots; null: of any pools.
   *
   * @throws IllegalArgumentException if there are fewer slots
   */
  @SuppressWarnings("ReferenceEquality")
  public void extend(int count, @Nullable PacketPool from) {
    if (count == 0) {
      return;
    }
    requireRoom(count);
    bytes = UNKNOWN;
    origin = size == 0 || origin == from ? from : null;
    size += count;
  }

  /**
   * As {@link #extend(int, PacketPool)}, by a driver that knows how many bytes they have: the sum
   * is not made again.
   *
   * @param bytesMore of these packets, all segments together
   */
  @SuppressWarnings("ReferenceEquality")
  public void extend(int count, @Nullable PacketPool from, long bytesMore) {
    if (size > 0) {
      long before = bytes;
      extend(count, from);
      bytes = before == UNKNOWN || count == 0 ? before : before + bytesMore;
    } else if (count != 0) { // A burst that is received: what need not be written is not.
      requireRoom(count);
      if (origin != from) {
        origin = from;
      }
      bytes = bytesMore;
      size = count;
    }
  }

  /**
   * Takes over all handles of another array, without copying them: both exchange their memory. It
   * calls nothing, so that a stack that ends does so before anything has changed.
   *
   * @return whether it has: if this is empty and the other is not, this has the capacity, and both
   *     have memory for as many
   */
  public boolean takeAll(MbufArray from) {
    // Spent packets may still lie in the memory of one that is empty, see FreeBuffer.addInPlace.
    if (size > 0 || from.size == 0 || slots != from.slots || from.size > capacity) {
      return false;
    }
    long emptyAddress = address;
    Object emptyMemory = memory;
    address = from.address;
    memory = from.memory;
    bytes = from.bytes;
    origin = from.origin;
    size = from.size;
    from.address = emptyAddress;
    from.memory = emptyMemory;
    from.bytes = UNKNOWN;
    from.size = 0;
    return true;
  }

  /** Adds one packet of pool {@code from}; null: of any. */
  public void append(long mbuf, @Nullable PacketPool from) {
    Handles.set(reserve(1), 0, mbuf);
    extend(1, from);
  }

  /** Adds one packet of any pool. */
  public void append(long mbuf) {
    append(mbuf, null);
  }

  /** Forgets the packets, whose owner is somebody else by now. */
  public void clear() {
    size = 0;
    bytes = UNKNOWN;
  }

  /** Forgets the first {@code count} packets; the others move to the front. */
  public void removeFirst(int count) {
    size -= count;
    bytes = UNKNOWN;
    if (count > 0 && size > 0) {
      Handles.copy(Handles.address(address, count), address, size);
    }
  }

  /** Forgets the last {@code count} packets, whose owner is somebody else by now. */
  public void removeLast(int count) {
    size -= count;
    bytes = UNKNOWN;
  }

  private void requireRoom(int count) {
    if (count < 0 || count > capacity - size) {
      throw new IllegalArgumentException(
          "burst has not that much room: wanted=" + count + ", room=" + room());
    }
  }
}
