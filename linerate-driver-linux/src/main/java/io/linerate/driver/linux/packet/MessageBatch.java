package io.linerate.driver.linux.packet;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.NativeMemory;
import io.linerate.driver.linux.IoVectors;
import io.linerate.driver.linux.VirtioHeader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Packets in the form in which sendmmsg(2) takes them: their bytes stay where they are, and only
 * addresses and lengths are written, and in front of each a {@link VirtioHeader}.
 *
 * <pre>
 *   struct mmsghdr (64):  0 name | 8 its bytes | 16 iovec | 24 iovecs | 32 control | 40 its bytes | 48 flags | 56 bytes sent
 * </pre>
 */
final class MessageBatch {
  private static final int MESSAGE_BYTES = 64;
  private static final int MESSAGE_IOVEC = 16;
  private static final int MESSAGE_IOVECS = 24;

  /** Segments that there is room for, for each message. */
  private static final int SEGMENTS_PER_MESSAGE = 4;

  /** One more, of the header. */
  private static final int IOVECS_PER_MESSAGE = SEGMENTS_PER_MESSAGE + 1;

  private static final int HEADER_SLOT_BYTES = 16;

  private final VirtioHeader offloads = new VirtioHeader();
  private final int mtuBytes;
  private final int slots;

  // Keeps the memory alive as long as the batch.
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final MemorySegment memory;

  private final long messages;
  private final IoVectors iovecs;
  private final long handles;
  private final long headers;
  private int size;
  private int iovecsUsed;

  /**
   * @param mtuBytes of the interface
   */
  MessageBatch(int slots, int mtuBytes) {
    this.slots = slots;
    this.mtuBytes = mtuBytes;
    int slotBytes = MESSAGE_BYTES + HEADER_SLOT_BYTES + 8;
    iovecs = new IoVectors(slots * IOVECS_PER_MESSAGE);
    memory = Arena.ofAuto().allocate((long) slots * slotBytes, 64);
    messages = memory.address();
    headers = messages + (long) slots * MESSAGE_BYTES;
    handles = headers + (long) slots * HEADER_SLOT_BYTES;
  }

  int size() {
    return size;
  }

  /** Packets of one segment that there is room for. */
  int free() {
    return Math.min(slots - size, slots * SEGMENTS_PER_MESSAGE - segmentsUsed());
  }

  /** Address of the first message. */
  long messages() {
    return messages;
  }

  /** Address of the array of the packets' handles. */
  long handles() {
    return handles;
  }

  /**
   * Appends a packet.
   *
   * @return whether there was room for its segments
   */
  boolean add(long mbuf) {
    if (!hasRoomFor(mbuf)) {
      return false;
    }
    long header = headers + (long) size * HEADER_SLOT_BYTES;
    offloads.write(header, mbuf, mtuBytes);
    put(mbuf);
    return true;
  }

  /** The packet's header is where it belongs. */
  private void put(long mbuf) {
    int segments = Mbuf.segments(mbuf);
    long message = messages + (long) size * MESSAGE_BYTES;
    long header = headers + (long) size * HEADER_SLOT_BYTES;
    NativeMemory.u64(message + MESSAGE_IOVEC, iovecs.address(iovecsUsed));
    NativeMemory.u64(message + MESSAGE_IOVECS, segments + 1);
    iovecs.set(iovecsUsed, header, VirtioHeader.BYTES);
    iovecs.setSegments(iovecsUsed + 1, mbuf);
    iovecsUsed += segments + 1;
    Handles.set(handles, size++, mbuf);
  }

  boolean hasRoomFor(long mbuf) {
    return size < slots && !lacksSegmentsFor(mbuf);
  }

  /** Whether a packet has more segments than there is room for now. */
  boolean lacksSegmentsFor(long mbuf) {
    return Mbuf.segments(mbuf) > slots * SEGMENTS_PER_MESSAGE - segmentsUsed();
  }

  private int segmentsUsed() {
    return iovecsUsed - size;
  }

  /** Whether a packet has more segments than an empty batch has room for. */
  boolean canNeverHold(long mbuf) {
    return Mbuf.segments(mbuf) > slots * SEGMENTS_PER_MESSAGE;
  }

  /**
   * Forgets the first {@code count} packets, whose owner is somebody else by now. Reads no packet's
   * bytes.
   */
  void removeFirst(int count) {
    int left = size - count;
    size = 0;
    iovecsUsed = 0;
    for (int i = 0; i < left; i++) {
      long header = headers + (long) i * HEADER_SLOT_BYTES;
      NativeMemory.copy(header + (long) count * HEADER_SLOT_BYTES, header, HEADER_SLOT_BYTES);
      put(Handles.get(handles, count + i));
    }
  }
}
