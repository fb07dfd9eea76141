package io.linerate.driver.linux.packet;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Packets in the form in which sendmmsg(2) takes them: their bytes stay where they are, and only
 * addresses and lengths are written.
 *
 * <pre>
 *   struct mmsghdr (64):  0 name | 8 its bytes | 16 iovec | 24 iovecs | 32 control | 40 its bytes | 48 flags | 56 bytes sent
 *   struct iovec (16):    0 address | 8 bytes
 * </pre>
 */
final class MessageBatch {
  private static final int MESSAGE_BYTES = 64;
  private static final int MESSAGE_IOVEC = 16;
  private static final int MESSAGE_IOVECS = 24;
  private static final int IOVEC_BYTES = 16;

  /** Segments that there is room for, for each message. */
  private static final int SEGMENTS_PER_MESSAGE = 4;

  private final int slots;

  // Keeps the memory alive as long as the batch.
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final MemorySegment memory;

  private final long messages;
  private final long iovecs;
  private final long handles;
  private int size;
  private int iovecsUsed;

  MessageBatch(int slots) {
    this.slots = slots;
    int slotBytes = MESSAGE_BYTES + SEGMENTS_PER_MESSAGE * IOVEC_BYTES + 8;
    memory = Arena.ofAuto().allocate((long) slots * slotBytes, 64);
    messages = memory.address();
    iovecs = messages + (long) slots * MESSAGE_BYTES;
    handles = iovecs + (long) slots * SEGMENTS_PER_MESSAGE * IOVEC_BYTES;
  }

  int size() {
    return size;
  }

  /** Packets of one segment that there is room for. */
  int free() {
    return Math.min(slots - size, slots * SEGMENTS_PER_MESSAGE - iovecsUsed);
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
    int segments = Mbuf.segments(mbuf);
    if (!hasRoomFor(mbuf)) {
      return false;
    }
    long message = messages + (long) size * MESSAGE_BYTES;
    long iovec = iovecs + (long) iovecsUsed * IOVEC_BYTES;
    NativeMemory.u64(message + MESSAGE_IOVEC, iovec);
    NativeMemory.u64(message + MESSAGE_IOVECS, segments);
    Handles.set(handles, size++, mbuf);
    iovecsUsed += segments;
    for (long segment = mbuf; segments > 0; segment = Mbuf.next(segment), segments--) {
      NativeMemory.u64(iovec, Mbuf.dataAddress(segment));
      NativeMemory.u64(iovec + 8, Mbuf.dataLength(segment));
      iovec += IOVEC_BYTES;
    }
    return true;
  }

  boolean hasRoomFor(long mbuf) {
    return size < slots && !lacksSegmentsFor(mbuf);
  }

  /** Whether a packet has more segments than there is room for now. */
  boolean lacksSegmentsFor(long mbuf) {
    return Mbuf.segments(mbuf) > slots * SEGMENTS_PER_MESSAGE - iovecsUsed;
  }

  /** Whether a packet has more segments than an empty batch has room for. */
  boolean canNeverHold(long mbuf) {
    return Mbuf.segments(mbuf) > slots * SEGMENTS_PER_MESSAGE;
  }

  /** Forgets the first {@code count} packets, whose owner is somebody else by now. */
  void removeFirst(int count) {
    int left = size - count;
    size = 0;
    iovecsUsed = 0;
    for (int i = 0; i < left; i++) {
      boolean _ = add(Handles.get(handles, count + i));
    }
  }
}
