package io.linerate.core.memory;

import static io.linerate.core.driver.NativeMemory.ADDRESS_BITS;
import static io.linerate.core.driver.NativeMemory.ALL;
import static io.linerate.core.driver.NativeMemory.NET_U16;
import static io.linerate.core.driver.NativeMemory.NET_U32;
import static io.linerate.core.driver.NativeMemory.NET_U64;
import static io.linerate.core.driver.NativeMemory.U8;

import io.linerate.core.driver.Mbuf;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;

/**
 * Ranges of packets as one buffer, without a copy: the fragments of a datagram, the segments of a
 * stream. Offsets count through all of them, and an integer may lie in several.
 *
 * <pre>{@code
 * buffer.clear();
 * buffer.append(first, 34, first.length() - 34);
 * buffer.append(second, 34, second.length() - 34);
 * int checksum = buffer.u16(6);
 * }</pre>
 *
 * <p>It reads the packets' own bytes, as long as they are there: to read what was sent, dropped,
 * lengthened or shortened throws {@link IllegalStateException}, to read on another thread {@link
 * WrongThreadException}. Packets of a burst end with it; those of {@link HeldPackets} stay. It
 * makes no object once it has had as many parts as it will have.
 */
public final class MappedBuffer implements ByteView {
  private static final int FIRST_PARTS = 4;

  private BufferPart[] parts = new BufferPart[FIRST_PARTS];

  /** The first part that is left. */
  private int first;

  private int count;

  /** Bytes that were removed from the front since it was cleared. */
  private long removed;

  private int length;

  // Of the part that was read last: what a read needs.
  private @SuppressWarnings("NullAway.Init") Burst burst;
  private int changes;
  private long address;

  /** Offset of its first byte that is left, and how many are left; 0 if none was read. */
  private int from;

  private int room;

  public MappedBuffer() {
    Arrays.setAll(parts, _ -> new BufferPart());
  }

  /** Forgets all parts. */
  public void clear() {
    first = 0;
    count = 0;
    removed = 0;
    length = 0;
    from = 0;
    room = 0;
  }

  /** Is a whole packet from now on. */
  public void wrap(Packet packet) {
    int whole = packet.length();
    long mbuf = packet.live();
    if (Mbuf.dataLength(mbuf) != whole || whole == 0) {
      clear();
      append(packet, 0, whole);
      return;
    }
    first = 0;
    count = 1;
    removed = 0;
    length = whole;
    parts[0].set(packet, mbuf, mbuf, 0, whole, whole);
    use(parts[0], 0, whole);
  }

  /**
   * Adds a range of a packet at the end.
   *
   * @throws IndexOutOfBoundsException if the packet has not these bytes
   * @throws IllegalArgumentException if there were more bytes than an int can count
   */
  public void append(Packet packet, int offset, int bytes) {
    Objects.checkFromIndexSize(offset, bytes, packet.length());
    if (bytes > Integer.MAX_VALUE - length) {
      throw new IllegalArgumentException(
          "buffer has no room: length=%d, bytes=%d; remove what was read".formatted(length, bytes));
    }
    long mbuf = packet.live();
    long segment = mbuf;
    int skipped = offset;
    int left = bytes;
    while (left > 0) {
      int here = Math.min(Mbuf.dataLength(segment) - skipped, left);
      if (here > 0) {
        add(packet, mbuf, segment, skipped, here);
        left -= here;
        skipped = 0;
      } else {
        skipped -= Mbuf.dataLength(segment);
      }
      segment = Mbuf.next(segment);
    }
  }

  private void add(Packet packet, long mbuf, long segment, int offset, int bytes) {
    if (first + count == parts.length) {
      makeRoom();
    }
    BufferPart part = parts[first + count];
    part.set(packet, mbuf, segment, offset, bytes, removed + length + bytes);
    length += bytes;
    count++;
    if (count == 1) {
      use(part, 0, bytes);
    }
  }

  /** Moves what is left to the front, or makes more room where that is little. */
  private void makeRoom() {
    boolean isRoomBefore = first > parts.length / 2;
    moveToFront();
    if (!isRoomBefore) {
      int size = parts.length;
      parts = Arrays.copyOf(parts, 2 * size);
      for (int i = size; i < parts.length; i++) {
        parts[i] = new BufferPart();
      }
    }
  }

  /** Those that were removed change places with those that are left. */
  private void moveToFront() {
    if (first == 0) {
      return;
    }
    for (int i = 0; i < count; i++) {
      BufferPart unused = parts[i];
      parts[i] = parts[first + i];
      parts[first + i] = unused;
    }
    first = 0;
  }

  /** Parts that it can have without making an object. */
  public int partRoom() {
    return parts.length;
  }

  /** Lets go of room, but for that of about twice the parts that it has. */
  public void trim() {
    int wanted = Math.max(FIRST_PARTS, Integer.highestOneBit(Math.max(2 * count, 1)));
    if (wanted < parts.length) {
      moveToFront();
      parts = Arrays.copyOf(parts, wanted);
    }
  }

  /**
   * Removes bytes from the front; the offsets of all others are lower then.
   *
   * @throws IndexOutOfBoundsException if there are fewer
   */
  public void removeFirst(int bytes) {
    Objects.checkFromIndexSize(0, bytes, length);
    removed += bytes;
    length -= bytes;
    while (count > 0 && parts[first].end <= removed) {
      first++;
      count--;
    }
    if (count == 0) {
      first = 0;
    }
    from = 0;
    room = 0;
  }

  /**
   * Says that a packet was moved to where it is now, such as to {@link HeldPackets}: the parts that
   * are of it are read there from now on.
   *
   * @param moved a cursor at it
   * @param from offset before which it has no part: those before are not looked at
   * @throws IndexOutOfBoundsException unless that is 0 to {@link #length}
   */
  public void follow(Packet moved, int from) {
    Objects.checkFromIndexSize(from, 0, length);
    long mbuf = moved.live();
    for (int i = find(removed + from); i < first + count; i++) {
      parts[i].follow(moved, mbuf);
    }
    this.from = 0;
    room = 0;
  }

  /** Ranges that it has, of packets that are in several segments one for each. */
  public int parts() {
    return count;
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public int u8(int offset) {
    long at = isHere(offset, 1) ? address + (offset - from) : elsewhere(offset, 1);
    return ALL.get(U8, at & ADDRESS_BITS) & 0xFF;
  }

  @Override
  public int u16(int offset) {
    if (isHere(offset, 2)) {
      return ALL.get(NET_U16, (address + (offset - from)) & ADDRESS_BITS);
    }
    return (int) apart(offset, 2);
  }

  @Override
  public int i32(int offset) {
    if (isHere(offset, 4)) {
      return ALL.get(NET_U32, (address + (offset - from)) & ADDRESS_BITS);
    }
    return (int) apart(offset, 4);
  }

  @Override
  public long u64(int offset) {
    if (isHere(offset, 8)) {
      return ALL.get(NET_U64, (address + (offset - from)) & ADDRESS_BITS);
    }
    return apart(offset, 8);
  }

  @Override
  public void get(int offset, byte[] target, int targetIndex, int bytes) {
    Objects.checkFromIndexSize(targetIndex, bytes, target.length);
    Objects.checkFromIndexSize(offset, bytes, length);
    MemorySegment to = MemorySegment.ofArray(target);
    int done = 0;
    while (done < bytes) {
      long at = elsewhere(offset + done, 1);
      int here = Math.min(from + room - (offset + done), bytes - done);
      MemorySegment.copy(
          ALL, U8, at & ADDRESS_BITS, to, ValueLayout.JAVA_BYTE, (long) targetIndex + done, here);
      done += here;
    }
  }

  /** Whether a range is in the part that was read last, and its packet is as it was then. */
  private boolean isHere(int offset, int bytes) {
    int at = offset - from;
    return at >= 0 && at <= room - bytes && burst.isUnchanged(changes) && isOwned();
  }

  private boolean isOwned() {
    burst.owner.require();
    return true;
  }

  /** In several parts, or in another than the last. */
  private long apart(int offset, int bytes) {
    long at = elsewhere(offset, bytes);
    if (offset + bytes - from <= room) {
      at &= ADDRESS_BITS;
      return switch (bytes) {
        case 2 -> ALL.get(NET_U16, at);
        case 4 -> ALL.get(NET_U32, at);
        default -> ALL.get(NET_U64, at);
      };
    }
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value = (value << 8) | u8(offset + i);
    }
    return value;
  }

  /** Address of the first byte of a range, whose part is the one read last from now on. */
  private long elsewhere(int offset, int bytes) {
    if (offset < 0 || bytes > length - offset) {
      throw new IndexOutOfBoundsException(
          "read outside the buffer: offset=%d, size=%d, length=%d"
              .formatted(offset, bytes, length));
    }
    BufferPart part = parts[find(removed + offset)];
    part.burst.owner.require();
    part.requireThere();
    long start = part.end - part.bytes;
    int cut = (int) Math.max(removed - start, 0);
    use(part, (int) (start + cut - removed), part.bytes - cut);
    address = part.address + cut;
    return address + (offset - from);
  }

  @SuppressWarnings("ReferenceEquality") // Bursts are themselves only.
  private void use(BufferPart part, int newFrom, int newRoom) {
    if (burst != part.burst) {
      burst = part.burst;
    }
    changes = part.burst.changes();
    address = part.address;
    from = newFrom;
    room = newRoom;
  }

  /** The part with a byte: most often it is the one behind the last. */
  private int find(long position) {
    int low = first;
    int high = first + count - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (parts[middle].end <= position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
