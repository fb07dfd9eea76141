package io.linerate.driver.linux;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.Segmenter;
import io.linerate.core.driver.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Writes packets to a descriptor of the kernel that takes a {@link VirtioHeader} before each, one
 * call of writev(2) per packet, from where they lie. The descriptor has to be non-blocking. One
 * thread's own.
 */
public final class VirtioWriter {
  /** What the longest packet takes in buffers of 256 bytes. */
  public static final int MAX_SEGMENTS = 256;

  private final SystemCalls calls;
  private final int descriptor;
  private final int mtuBytes;
  private final VirtioHeader offloads = new VirtioHeader();
  private final MemorySegment header = Arena.ofAuto().allocate(VirtioHeader.BYTES, 8);
  private final IoVectors vectors = new IoVectors(1 + MAX_SEGMENTS);
  private int pieces;

  /**
   * @param mtuBytes of the interface
   */
  public VirtioWriter(SystemCalls calls, int descriptor, int mtuBytes) {
    this.calls = calls;
    this.descriptor = descriptor;
    this.mtuBytes = mtuBytes;
    vectors.set(0, header.address(), VirtioHeader.BYTES);
  }

  /**
   * Makes a packet's header; false if it is too long and cannot be cut, or has more than {@link
   * #MAX_SEGMENTS} segments.
   */
  public boolean prepare(long mbuf) {
    offloads.write(header.address(), mbuf, mtuBytes);
    boolean isTooLong =
        Segmenter.isTooLong(mbuf, mtuBytes) && !VirtioHeader.isSuperPacket(header.address());
    if (isTooLong || Mbuf.segments(mbuf) > MAX_SEGMENTS) {
      return false;
    }
    vectors.setSegments(1, mbuf);
    pieces = 1 + Mbuf.segments(mbuf);
    return true;
  }

  /**
   * Writes the packet that was prepared last, which stays the caller's.
   *
   * @return bytes written, or {@code -errno}
   */
  public long write() {
    return calls.writev(descriptor, vectors.address(0), pieces);
  }
}
