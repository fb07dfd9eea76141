package io.linerate.core.memory;

import java.util.Objects;

/**
 * A window over a stream of bytes that lie in packets, without a copy: bytes come at its end, and
 * leave at its start. Each byte of the stream has a position, from 0 on, which stays; as a {@link
 * ByteView} it begins with the first byte that is in the window.
 *
 * <p>The bytes are read as those of a {@link MappedBuffer}: their packets have to stay.
 */
public final class SlidingWindowBuffer implements ByteView {
  private final MappedBuffer bytes = new MappedBuffer();
  private long start;

  /** Forgets the stream, and begins another. */
  public void clear() {
    bytes.clear();
    start = 0;
  }

  /** Position of the first byte in the window. */
  public long start() {
    return start;
  }

  /** Position of the byte that will come next. */
  public long end() {
    return start + bytes.length();
  }

  /** As {@link MappedBuffer#append}. */
  public void append(Packet packet, int offset, int count) {
    bytes.append(packet, offset, count);
  }

  /**
   * Lets the window begin at a position: what is before it has left.
   *
   * @throws IndexOutOfBoundsException unless it is {@link #start} to {@link #end}
   */
  public void slideTo(long position) {
    Objects.checkFromToIndex(start, position, end());
    bytes.removeFirst((int) (position - start));
    start = position;
  }

  /**
   * As {@link MappedBuffer#follow}.
   *
   * @param position before which the packet has no part; not behind the end
   */
  public void follow(Packet moved, long position) {
    bytes.follow(moved, (int) Math.max(position - start, 0));
  }

  /**
   * Lets the window begin behind bytes that never came, when it is empty.
   *
   * @throws IllegalStateException if there are bytes in it
   * @throws IndexOutOfBoundsException if the position is before its end
   */
  public void skipTo(long position) {
    if (bytes.length() > 0) {
      throw new IllegalStateException(
          "window has bytes: start=%d, end=%d; slide to its end first".formatted(start, end()));
    }
    start += Objects.checkIndex(position - start, Long.MAX_VALUE);
  }

  /** One byte of the stream, 0 to 255. */
  public int u8At(long position) {
    return bytes.u8(Math.toIntExact(Objects.checkIndex(position - start, bytes.length())));
  }

  /** Ranges of packets that it has. */
  public int parts() {
    return bytes.parts();
  }

  /** As {@link MappedBuffer#partRoom}. */
  public int partRoom() {
    return bytes.partRoom();
  }

  /** As {@link MappedBuffer#trim}. */
  public void trim() {
    bytes.trim();
  }

  @Override
  public int length() {
    return bytes.length();
  }

  @Override
  public int u8(int offset) {
    return bytes.u8(offset);
  }

  @Override
  public int u16(int offset) {
    return bytes.u16(offset);
  }

  @Override
  public int i32(int offset) {
    return bytes.i32(offset);
  }

  @Override
  public long u64(int offset) {
    return bytes.u64(offset);
  }

  @Override
  public void get(int offset, byte[] target, int targetIndex, int count) {
    bytes.get(offset, target, targetIndex, count);
  }
}
