package io.linerate.core.memory;

import io.linerate.core.driver.Mbuf;

/** A range of a packet within one segment, in a {@link MappedBuffer}. */
final class BufferPart {
  @SuppressWarnings("NullAway.Init")
  Burst burst;

  private int slot;
  private int fill;
  private long number;
  private long mbuf;
  private long segment;

  /** Of the first byte. */
  long address;

  int bytes;

  /** Position of the byte behind it in all that the buffer ever had. */
  long end;

  /**
   * Is a range of a segment of a packet.
   *
   * @param handle of the packet
   */
  @SuppressWarnings("ReferenceEquality") // Bursts are themselves only.
  void set(Packet packet, long handle, long newSegment, int offset, int newBytes, long newEnd) {
    Burst from = packet.burst();
    if (burst != from) { // A reference that is not written is one that costs nothing.
      burst = from;
    }
    slot = packet.index();
    fill = from.fills();
    number = from.number(slot);
    mbuf = handle;
    segment = newSegment;
    address = Mbuf.dataAddress(newSegment) + offset;
    bytes = newBytes;
    end = newEnd;
  }

  /** Is read where its packet is now, if it is of that one. */
  void follow(Packet moved, long movedMbuf) {
    if (mbuf == movedMbuf) {
      burst = moved.burst();
      slot = moved.index();
      fill = burst.fills();
      number = burst.number(slot);
    }
  }

  /**
   * Looks whether the packet still has these bytes, after its burst has changed.
   *
   * @throws IllegalStateException if not
   */
  void requireThere() {
    int at = burst.find(mbuf, slot, fill, number);
    if (at < 0 || !isInSegment()) {
      throw new IllegalStateException(
          "packet of a buffer is gone, or has another shape: index=%d, bytes=%d; keep packets in HeldPackets as long as a buffer needs them"
              .formatted(slot, bytes));
    }
    slot = at;
    fill = burst.fills();
  }

  private boolean isInSegment() {
    long data = Mbuf.dataAddress(segment);
    return isInChain() && address >= data && address + bytes <= data + Mbuf.dataLength(segment);
  }

  private boolean isInChain() {
    long at = mbuf;
    for (int left = Mbuf.segments(mbuf); left > 0 && at != 0; left--) {
      if (at == segment) {
        return true;
      }
      at = Mbuf.next(at);
    }
    return false;
  }
}
