package io.linerate.driver.pcap;

import io.linerate.core.port.PortException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The bytes of a capture file, read in either byte order, and what is said when they are wrong. */
final class CaptureBytes {
  /**
   * The longest packet that is believed: libpcap's MAXIMUM_SNAPLEN, which no writer exceeds. A
   * longer one is damage.
   */
  static final int MAX_PACKET_BYTES = 262_144;

  private static final ValueLayout.OfChar HOST_U16 = ValueLayout.JAVA_CHAR_UNALIGNED;
  private static final ValueLayout.OfInt HOST_I32 = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong HOST_I64 = ValueLayout.JAVA_LONG_UNALIGNED;

  private final String file;
  private final MemorySegment bytes;
  private final long size;

  CaptureBytes(String file, MemorySegment bytes) {
    this.file = file;
    this.bytes = bytes;
    size = bytes.byteSize();
  }

  String file() {
    return file;
  }

  long size() {
    return size;
  }

  int u8(long at) {
    return bytes.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
  }

  /**
   * An unsigned number of two bytes.
   *
   * @param swapped whether the file's byte order is not that of this machine
   */
  int u16(long at, boolean swapped) {
    char value = bytes.get(HOST_U16, at);
    return swapped ? Character.reverseBytes(value) : value;
  }

  int i32(long at, boolean swapped) {
    int value = bytes.get(HOST_I32, at);
    return swapped ? Integer.reverseBytes(value) : value;
  }

  long u32(long at, boolean swapped) {
    return i32(at, swapped) & 0xFFFF_FFFFL;
  }

  /** Two numbers of four bytes, the first in the lower half: faster than each by itself. */
  long pair(long at, boolean swapped) {
    long pair = bytes.get(HOST_I64, at);
    return swapped ? Long.rotateLeft(Long.reverseBytes(pair), Integer.SIZE) : pair;
  }

  /** Checks the length of a packet that {@code room} bytes are left for. */
  void checkPacket(long at, int capturedBytes, long room) {
    if (capturedBytes < 0 || capturedBytes > MAX_PACKET_BYTES) {
      throw damaged(
          at,
          "a packet of %d bytes, and no capture has more than %d"
              .formatted(capturedBytes & 0xFFFF_FFFFL, MAX_PACKET_BYTES));
    }
    if (capturedBytes > room) {
      throw damaged(at, "a packet of " + capturedBytes + " bytes where there is room for " + room);
    }
  }

  /** Checks that the file does not end in the middle. */
  void checkLeft(long at, long neededBytes) {
    if (neededBytes > size - at) {
      throw new PortException(
          "capture file is cut: file=%s, offset=%d, neededBytes=%d, leftBytes=%d; the packets before that are good, record or copy it again"
              .formatted(file, at, neededBytes, size - at));
    }
  }

  PortException damaged(long at, String reason) {
    return new PortException(
        "capture file is damaged: file=%s, offset=%d, reason=%s; the packets before that are good, record or copy it again"
            .formatted(file, at, reason));
  }

  PortException unusable(String reason, String whatToDo) {
    return new PortException(
        "cannot use the capture file: file=" + file + ", reason=" + reason + "; " + whatToDo);
  }
}
