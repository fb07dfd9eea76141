package io.linerate.core.memory;

import static io.linerate.core.driver.NativeMemory.ADDRESS_BITS;
import static io.linerate.core.driver.NativeMemory.ALL;
import static io.linerate.core.driver.NativeMemory.NET_U16;
import static io.linerate.core.driver.NativeMemory.NET_U32;
import static io.linerate.core.driver.NativeMemory.NET_U64;
import static io.linerate.core.driver.NativeMemory.U8;

import io.linerate.core.driver.InternetSum;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.RangeOperation;
import io.linerate.core.driver.SegmentCopy;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A cursor over one packet of a {@link Burst}: reads and writes its bytes where the driver put
 * them.
 *
 * <p>Offsets count from the first byte of the packet, through all its segments. Integers are in
 * network byte order. Every access is checked against the packet's own length and throws {@link
 * IndexOutOfBoundsException} outside it; every access to a packet that was sent or dropped throws
 * {@link IllegalStateException}.
 *
 * <p>A cursor moves with its loop: what must outlive the move is copied out. On another thread than
 * that of its burst every access throws {@link WrongThreadException}.
 */
public final class Packet implements ByteView, Cursor {
  /** {@link #lengthBytes} of a packet that is gone. */
  private static final int GONE = -1;

  private final Burst burst;
  private final BurstOwner owner;
  private int index = -1;

  /** Of the first byte. */
  private long address;

  /** Its handle, as long as it is not gone. */
  private long mbuf;

  /** Of all segments. */
  private int lengthBytes = GONE;

  /** Bytes at {@link #address} without a gap; none of a packet that is gone. */
  private char firstBytes;

  Packet(Burst burst) {
    this.burst = burst;
    owner = burst.owner;
  }

  Burst burst() {
    return burst;
  }

  // What is read of the header here is not read again for each field: the fewer accesses to native
  // memory there are in a loop over packets, the more of it the compiler inlines. All is read, and
  // then written: a stack that ends here leaves the cursor where it was.
  void attach(int newIndex, long newMbuf) {
    long newAddress = Mbuf.dataAddress(newMbuf);
    int newLengthBytes = Mbuf.packetLength(newMbuf);
    char newFirstBytes = (char) Mbuf.dataLength(newMbuf);
    index = newIndex;
    address = newAddress;
    mbuf = newMbuf;
    lengthBytes = newLengthBytes;
    firstBytes = newFirstBytes;
  }

  /** Stands at a slot without reading its packet. */
  void park(int newIndex) {
    index = newIndex;
    detach();
  }

  void detach() {
    lengthBytes = GONE;
    firstBytes = 0;
  }

  /** Lets go of a packet that ended or has another shape. */
  void detachFrom(int otherIndex) {
    if (index == otherIndex) {
      detach();
    }
  }

  /** Position in the burst. */
  public int index() {
    return index;
  }

  /**
   * Whether the packet can still be read here: it was neither sent nor dropped, its burst has not
   * ended, and it was not lengthened or shortened by the burst's other cursor.
   */
  public boolean isLive() {
    return lengthBytes != GONE;
  }

  /** See {@link BurstOwner#length}. */
  int lengthOrGone() {
    return lengthBytes;
  }

  /** Bytes of the packet, all segments together. */
  @Override
  public int length() {
    owner.require();
    if (lengthBytes < 0) {
      throw burst.gone(index);
    }
    return lengthBytes;
  }

  /**
   * Bytes that followed on the wire, behind those that are here: not 0 where a capture took the
   * first bytes of its packets only (a snap length).
   */
  public int cutBytes() {
    return Mbuf.cutBytes(live());
  }

  /** Number of segments: 1, or more for a frame longer than a buffer. */
  public int segments() {
    return Mbuf.segments(live());
  }

  /**
   * Bytes of payload of each of the packets that this one stands for, because the kernel has put
   * them together or not cut it yet (GRO, GSO); 0 if it stands for itself. Its TCP or UDP checksum
   * is not complete then: who transmits makes those of the packets that it stands for.
   */
  public int segmentBytes() {
    long handle = live();
    return Mbuf.isSuperPacket(handle) ? Mbuf.segmentBytes(handle) : 0;
  }

  /**
   * Completes the TCP or UDP checksum of a packet that stands for several, or whose checksum was
   * {@link #leaveChecksum left}: for who writes it elsewhere than to a port, cuts it, or puts it
   * into another packet. Others stay as they are.
   */
  public void completeChecksum() {
    long handle = live();
    if (Mbuf.isSuperPacket(handle) || Mbuf.needsChecksum(handle)) {
      owner.checksum().finishUnfinished(handle);
      if (Mbuf.needsChecksum(handle) && !Mbuf.isSuperPacket(handle)) {
        Mbuf.finished(handle);
      }
    }
  }

  /**
   * Leaves the TCP or UDP checksum to who transmits the packet, if that is done by a device or the
   * kernel: where an element has asked for it ({@code Wiring.leavesChecksums}) before the engine
   * started, and all ports that it sends to finish checksums. What the field holds means nothing
   * then, until the packet is sent, or {@link #completeChecksum} is called.
   *
   * @return false if the caller has to make the checksum; nothing has changed then
   */
  public boolean leaveChecksum() {
    long handle = live();
    if (!owner.leavesChecksums() || !owner.checksum().canFinish(handle)) {
      return false;
    }
    Mbuf.leaveChecksum(handle);
    return true;
  }

  /**
   * Has a UDP datagram stand for several, which a device or the kernel makes of it: each has the
   * headers of this one, with its own lengths and checksums, and {@code segmentBytes} of the
   * payload, the last one what is left. Where an element has asked for it as for {@link
   * #leaveChecksum}, and all ports cut datagrams: {@code packet:} and {@code tap:}.
   *
   * @param segmentBytes of payload, 1 to 65,507; no more than the path takes
   * @return false if the caller has to make the datagrams; nothing has changed then
   */
  public boolean leaveCutting(int segmentBytes) {
    requireRange(0, segmentBytes, Mbuf.MAX_SEGMENT_BYTES);
    long handle = live();
    if (!owner.leavesCutting() || segmentBytes == 0 || !owner.checksum().canCut(handle)) {
      return false;
    }
    Mbuf.superPacket(handle, segmentBytes);
    return true;
  }

  /**
   * What is known of the TCP or UDP checksum: as the device or the kernel found it when the packet
   * came, whatever was written since; unknown when bytes were added in front or taken off there.
   */
  public ChecksumState checksumState() {
    long flags = Mbuf.flags(live());
    return (flags & (Mbuf.IS_SUPER_PACKET | Mbuf.NEEDS_CHECKSUM)) != 0
        ? ChecksumState.NONE
        : state(flags, Mbuf.TRANSPORT_CHECKSUM_BAD, Mbuf.TRANSPORT_CHECKSUM_GOOD);
  }

  /** As {@link #checksumState}, of the checksum of the IPv4 header. */
  public ChecksumState ipChecksumState() {
    return state(Mbuf.flags(live()), Mbuf.IP_CHECKSUM_BAD, Mbuf.IP_CHECKSUM_GOOD);
  }

  private static ChecksumState state(long flags, long bad, long good) {
    if ((flags & good) == 0) {
      return (flags & bad) == 0 ? ChecksumState.UNKNOWN : ChecksumState.BAD;
    }
    return (flags & bad) == 0 ? ChecksumState.GOOD : ChecksumState.NONE;
  }

  /**
   * The outer VLAN tag that the device took off the frame (IEEE 802.1Q, clause 9.6: priority, drop
   * eligibility and identifier in 16 bits), or -1. Only with {@code vlan-strip=on} of a port; it is
   * put back when the packet is transmitted.
   */
  public int vlanTag() {
    return Mbuf.vlanTag(live());
  }

  /** Takes away the tag that {@link #vlanTag} says of: the packet leaves without it. */
  public void removeVlanTag() {
    long handle = live();
    if (Mbuf.vlanTag(handle) >= 0) {
      Mbuf.vlanTag(handle, -1);
    }
  }

  /**
   * Time of reception in ns since the epoch: as recorded by the port, or else the time at which its
   * burst was received.
   */
  public long timestampNs() {
    long handle = live();
    return Mbuf.hasTimestamp(handle) ? Mbuf.timestampNs(handle) : burst.receivedNs(index);
  }

  /**
   * Bytes of a packet that begins with an Ethernet header, is here as a whole and lies in one
   * segment, as most packets do; -1 of any other, and of one that is gone.
   */
  public int plainLength() {
    owner.require();
    return firstBytes == lengthBytes && Mbuf.isWholeEthernet(mbuf) ? lengthBytes : -1;
  }

  /** Whether the packet begins with an Ethernet header: see {@link #linkType}. */
  public boolean isEthernet() {
    return !Mbuf.hasLinkType(live());
  }

  /** What the packet begins with. */
  public LinkType linkType() {
    return LinkType.of(Mbuf.linkType(live()));
  }

  /**
   * Says what the packet begins with, after its first header was replaced or taken off. Ports that
   * do not transmit this type refuse it as {@code tx_link_type}, in a program that receives from a
   * port of other types than Ethernet; in others nobody looks.
   */
  public void linkType(LinkType type) {
    Mbuf.linkType(live(), type.number());
  }

  /** Bytes 0 to 255. */
  @Override
  public int u8(int offset) {
    if (isWhole()) {
      requireInside("read", offset, 1);
      return ALL.get(U8, (address & ADDRESS_BITS) + offset) & 0xFF;
    }
    return (int) getApart(offset, 1);
  }

  public void u8(int offset, int value) {
    requireRange(offset, value, 0xFF);
    if (isWhole()) {
      requireInside("write", offset, 1);
      ALL.set(U8, (address & ADDRESS_BITS) + offset, (byte) value);
    } else {
      setApart(offset, 1, value);
    }
  }

  /** Two bytes, 0 to 65,535. */
  @Override
  public int u16(int offset) {
    if (isWhole()) {
      requireInside("read", offset, 2);
      return ALL.get(NET_U16, (address & ADDRESS_BITS) + offset);
    }
    return (int) getApart(offset, 2);
  }

  public void u16(int offset, int value) {
    requireRange(offset, value, 0xFFFF);
    if (isWhole()) {
      requireInside("write", offset, 2);
      ALL.set(NET_U16, (address & ADDRESS_BITS) + offset, (char) value);
    } else {
      setApart(offset, 2, value);
    }
  }

  /** Four bytes as they are: the customary form of an IPv4 address. */
  @Override
  public int i32(int offset) {
    if (isWhole()) {
      requireInside("read", offset, 4);
      return ALL.get(NET_U32, (address & ADDRESS_BITS) + offset);
    }
    return (int) getApart(offset, 4);
  }

  public void i32(int offset, int value) {
    if (isWhole()) {
      requireInside("write", offset, 4);
      ALL.set(NET_U32, (address & ADDRESS_BITS) + offset, value);
    } else {
      setApart(offset, 4, value);
    }
  }

  /** Four bytes, 0 to 4,294,967,295. */
  @Override
  public long u32(int offset) {
    return i32(offset) & 0xFFFF_FFFFL;
  }

  public void u32(int offset, long value) {
    requireRange(offset, value, 0xFFFF_FFFFL);
    i32(offset, (int) value);
  }

  /** Eight bytes as they are. */
  @Override
  public long u64(int offset) {
    if (isWhole()) {
      requireInside("read", offset, 8);
      return ALL.get(NET_U64, (address & ADDRESS_BITS) + offset);
    }
    return getApart(offset, 8);
  }

  public void u64(int offset, long value) {
    if (isWhole()) {
      requireInside("write", offset, 8);
      ALL.set(NET_U64, (address & ADDRESS_BITS) + offset, value);
    } else {
      setApart(offset, 8, value);
    }
  }

  /** Copies {@code count} bytes of the packet into {@code target}. */
  @Override
  public void get(int offset, byte[] target, int targetIndex, int count) {
    SegmentCopy.read(checked("read", offset, count), offset, target, targetIndex, count);
  }

  /** Copies {@code count} bytes of the packet into {@code target}. */
  public void get(int offset, MemorySegment target, long targetOffset, int count) {
    SegmentCopy.read(checked("read", offset, count), offset, target, targetOffset, count);
  }

  /** Copies {@code count} bytes of {@code source} into the packet. */
  public void set(int offset, byte[] source, int sourceIndex, int count) {
    SegmentCopy.write(checked("write", offset, count), offset, source, sourceIndex, count);
  }

  /** Copies {@code count} bytes of {@code source} into the packet. */
  public void set(int offset, MemorySegment source, long sourceOffset, int count) {
    SegmentCopy.write(checked("write", offset, count), offset, source, sourceOffset, count);
  }

  /** Copies {@code count} bytes of another packet into this one. */
  public void set(int offset, Packet source, int sourceOffset, int count) {
    long from = source.checked("read", sourceOffset, count);
    SegmentCopy.between(from, sourceOffset, checked("write", offset, count), offset, count);
  }

  /**
   * Sum of the 16-bit words of a range, in network order, an odd last byte padded with zero: see
   * RFC 1071, section 4.1.
   */
  public long sum16(int offset, int count) {
    long handle = checked("read", offset, count);
    if (isContiguous(offset, count)) {
      return InternetSum.of((address & ADDRESS_BITS) + offset, count);
    }
    return InternetSum.ofSegments(handle, offset, count);
  }

  /** A copy of all bytes, on the heap: for tests and messages, not for the packet path. */
  public byte[] toBytes() {
    byte[] bytes = new byte[length()];
    get(0, bytes, 0, bytes.length);
    return bytes;
  }

  /** Bytes by which {@link #growHead} may grow. */
  public int headroomBytes() {
    return Mbuf.dataOffset(live());
  }

  /** Bytes by which {@link #growTail} may grow. */
  public int tailroomBytes() {
    long last = SegmentChain.last(live());
    return Math.min(
        Mbuf.bufferLength(last) - Mbuf.dataOffset(last) - Mbuf.dataLength(last),
        Mbuf.MAX_SEGMENT_BYTES - Mbuf.dataLength(last));
  }

  /**
   * Adds {@code count} bytes in front, with the content that the headroom has.
   *
   * @throws IllegalArgumentException if the headroom is smaller
   */
  public void growHead(int count) {
    long handle = live();
    requireRoom("headroom", count, headroomBytes());
    requireRoom("segment", count, Mbuf.MAX_SEGMENT_BYTES - Mbuf.dataLength(handle));
    Mbuf.dataOffset(handle, Mbuf.dataOffset(handle) - count);
    Mbuf.dataLength(handle, Mbuf.dataLength(handle) + count);
    Mbuf.packetLength(handle, Mbuf.packetLength(handle) + count);
    Mbuf.forgetChecksums(handle);
    burst.reshaped(index);
    attach(index, handle);
  }

  /**
   * Takes {@code count} bytes off the front. Segments that become empty leave the packet and are
   * freed with its burst.
   */
  public void shrinkHead(int count) {
    long handle = checked("remove", 0, count);
    Mbuf.forgetChecksums(handle);
    long first = SegmentChain.shrinkHead(handle, count);
    if (first != handle) {
      burst.replaceHead(index, handle, first);
    }
    burst.reshaped(index);
    attach(index, first);
  }

  /**
   * Adds {@code count} bytes at the end, with the content that the tailroom has.
   *
   * @throws IllegalArgumentException if the tailroom is smaller
   */
  public void growTail(int count) {
    long handle = live();
    requireRoom("tailroom", count, tailroomBytes());
    long last = SegmentChain.last(handle);
    Mbuf.dataLength(last, Mbuf.dataLength(last) + count);
    Mbuf.packetLength(handle, Mbuf.packetLength(handle) + count);
    burst.reshaped(index);
    attach(index, handle);
  }

  /**
   * Adds {@code count} bytes of {@code source} at the end, in the room of the last segment: the way
   * to fill a packet just allocated.
   *
   * @throws IllegalArgumentException if the tailroom is smaller
   * @throws IndexOutOfBoundsException if {@code source} has not these bytes
   */
  public void append(MemorySegment source, long sourceOffset, int count) {
    long handle = live();
    int length = Mbuf.dataLength(handle);
    int end = Mbuf.dataOffset(handle) + length;
    int room = Math.min(Mbuf.bufferLength(handle) - end, Mbuf.MAX_SEGMENT_BYTES - length);
    if (count < 0 || count > room || Mbuf.segments(handle) != 1) {
      Objects.checkFromIndexSize(sourceOffset, count, source.byteSize());
      int at = length();
      growTail(count);
      set(at, source, sourceOffset, count);
      return;
    }
    MemorySegment.copy(source, sourceOffset, ALL, Mbuf.bufferAddress(handle) + end, count);
    Mbuf.dataLength(handle, length + count);
    Mbuf.packetLength(handle, length + count);
    burst.reshaped(index);
    attach(index, handle);
  }

  /**
   * Takes {@code count} bytes off the end. Segments that become empty leave the packet and are
   * freed with its burst.
   */
  public void shrinkTail(int count) {
    long handle = live();
    checked("remove", Mbuf.packetLength(handle) - count, count);
    burst.cut(SegmentChain.shrinkTail(handle, count));
    burst.reshaped(index);
    attach(index, handle);
  }

  /** Whether a range of bytes lies in one segment, as native code wants it: see {@link #apply}. */
  public boolean isInOneSegment(int offset, int count) {
    return count == 0 || isContiguous(offset, count);
  }

  /**
   * Has native code work on a range of the packet where it lies, without a copy.
   *
   * @return what that returns
   * @throws IndexOutOfBoundsException if the packet has not these bytes
   * @throws IllegalArgumentException if they lie in several segments
   */
  public int apply(int offset, int count, RangeOperation operation) {
    Objects.checkFromIndexSize(offset, count, length());
    if (!isInOneSegment(offset, count)) {
      throw new IllegalArgumentException(
          "range lies in several segments: offset=%d, count=%d, segments=%d; copy it"
              .formatted(offset, count, segments()));
    }
    return operation.apply((address & ADDRESS_BITS) + offset, count);
  }

  /** Ends the packet. It is freed with the others of its burst. */
  public void drop(DropReason reason) {
    burst.drop(index, live(), lengthBytes, Objects.requireNonNull(reason, "reason"));
  }

  /** Takes the packet out of its burst: the caller owns it from now on. */
  long take() {
    live();
    return burst.take(index, lengthBytes);
  }

  @Override
  public String toString() {
    return isLive() ? "Packet[index=" + index + ", length=" + lengthBytes + "]" : "Packet[gone]";
  }

  /** Whether all bytes are at {@link #address}; not if the packet is gone. */
  private boolean isWhole() {
    owner.require();
    return firstBytes == lengthBytes;
  }

  /**
   * Of a packet that {@link #isWhole}. The compiler knows these checks, and makes one of all that a
   * loop does at constant offsets, so that a packet's second field costs a load and no more; it
   * gives that up where packets turn out to be too short.
   */
  private void requireInside(String action, int offset, int size) {
    try {
      int _ = Objects.checkIndex(offset, firstBytes);
      int _ = Objects.checkIndex(offset + size - 1, firstBytes);
    } catch (IndexOutOfBoundsException e) {
      throw outside(action, offset, size, firstBytes);
    }
  }

  /** Of a packet in several segments, or one that is gone: most of what is read is in the first. */
  private long getApart(int offset, int size) {
    if (!isContiguous(offset, size)) {
      return SegmentChain.get(checked("read", offset, size), offset, size);
    }
    long at = (address & ADDRESS_BITS) + offset;
    return switch (size) {
      case 1 -> ALL.get(U8, at) & 0xFF;
      case 2 -> ALL.get(NET_U16, at);
      case 4 -> ALL.get(NET_U32, at);
      default -> ALL.get(NET_U64, at);
    };
  }

  private void setApart(int offset, int size, long value) {
    if (!isContiguous(offset, size)) {
      SegmentChain.set(checked("write", offset, size), offset, size, value);
      return;
    }
    long at = (address & ADDRESS_BITS) + offset;
    switch (size) {
      case 1 -> ALL.set(U8, at, (byte) value);
      case 2 -> ALL.set(NET_U16, at, (char) value);
      case 4 -> ALL.set(NET_U32, at, (int) value);
      default -> ALL.set(NET_U64, at, value);
    }
  }

  private static IndexOutOfBoundsException outside(
      String action, int offset, int size, int length) {
    return new IndexOutOfBoundsException(
        action + " outside the packet: offset=" + offset + ", size=" + size + ", length=" + length);
  }

  /** The end of a range overflows an int, but not an unsigned one. */
  private boolean isContiguous(int offset, int size) {
    owner.require();
    return offset >= 0 && Integer.compareUnsigned(offset + size - 1, firstBytes) < 0;
  }

  long live() {
    owner.require();
    if (lengthBytes < 0) { // As in length(): the compiler asks once.
      throw burst.gone(index);
    }
    return mbuf;
  }

  private long checked(String action, int offset, int count) {
    long handle = live();
    int length = Mbuf.packetLength(handle);
    if ((offset | count | (length - count - offset)) < 0 || count > length) {
      throw outside(action, offset, count, length);
    }
    return handle;
  }

  private static void requireRange(int offset, long value, long max) {
    if (value < 0 || value > max) {
      throw new IllegalArgumentException(
          "value does not fit the field: value=" + value + ", max=" + max + ", offset=" + offset);
    }
  }

  private void requireRoom(String what, int count, int roomBytes) {
    if (count < 0 || count > roomBytes) {
      throw new IllegalArgumentException(
          "packet cannot grow: bytes="
              + count
              + ", "
              + what
              + "="
              + roomBytes
              + ", length="
              + length()
              + "; copy it into a packet with more room");
    }
  }
}
