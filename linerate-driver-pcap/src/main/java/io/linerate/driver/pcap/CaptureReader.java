package io.linerate.driver.pcap;

import io.linerate.core.port.PortException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Finds the packets of a capture file, one after the other. It is a cursor: {@link #next} moves it,
 * and the other methods are about the packet that it found. It makes no object on its way.
 */
abstract sealed class CaptureReader permits PcapReader, PcapngReader {
  final CaptureBytes bytes;
  private final long start;

  /** Where the next record begins. */
  long position;

  /** Whether the file's byte order is not that of this machine. */
  boolean swapped;

  boolean hasTimestamp;
  long timestampNs;
  long skippedPackets;
  private long dataOffset;
  private int lengthBytes;
  private int headerBytes;

  /**
   * @param start where the first record begins
   */
  CaptureReader(CaptureBytes bytes, long start) {
    this.bytes = bytes;
    this.start = start;
    position = start;
  }

  /**
   * The reader for the format that the file has.
   *
   * @throws PortException if it is no capture, or one that cannot be used
   */
  static CaptureReader of(String file, MemorySegment bytes) {
    CaptureBytes capture = new CaptureBytes(file, bytes);
    capture.checkLeft(0, 4);
    int magic = capture.i32(0, false);
    if (magic == PcapngReader.SECTION) {
      return new PcapngReader(capture);
    }
    PcapFormat format = PcapFormat.of(magic);
    if (format != null) {
      return new PcapReader(capture, format);
    }
    String known = otherFormat(magic);
    throw known == null
        ? capture.unusable(
            "it does not begin as one: firstBytes=" + firstBytes(capture),
            "name a file in pcap or pcapng format")
        : capture.unusable("it is " + known, "convert it with editcap, or unpack it");
  }

  private static @Nullable String otherFormat(int magic) {
    return switch (Integer.reverseBytes(magic)) {
      case 0xA1B2CD34, 0x34CDB2A1 -> "a pcap file of a modified libpcap";
      case 0x736E6F6F -> "a snoop file";
      case 0x28B52FFD -> "compressed with zstd";
      case 0x04224D18 -> "compressed with lz4";
      default -> (Integer.reverseBytes(magic) >>> 16) == 0x1F8B ? "compressed with gzip" : null;
    };
  }

  private static String firstBytes(CaptureBytes capture) {
    return "%02x %02x %02x %02x"
        .formatted(capture.u8(0), capture.u8(1), capture.u8(2), capture.u8(3));
  }

  /**
   * Finds the next packet.
   *
   * @return false at the end of the file
   * @throws PortException if the file is damaged here. There is no way on; do not call again.
   */
  abstract boolean next();

  /** Says where a packet is whose record begins at {@code at}; its time is still to be said. */
  final void found(long at, int recordHeaderBytes, int capturedBytes) {
    headerBytes = recordHeaderBytes;
    dataOffset = at + recordHeaderBytes;
    lengthBytes = capturedBytes;
  }

  /** Where the packet begins in the file. */
  final long dataOffset() {
    return dataOffset;
  }

  /** Bytes of the packet that were captured, up to {@link CaptureBytes#MAX_PACKET_BYTES}. */
  final int lengthBytes() {
    return lengthBytes;
  }

  /** Bytes of the record's header, in front of the packet. */
  final int headerBytes() {
    return headerBytes;
  }

  /** Whether the file says when the packet was captured. */
  final boolean hasTimestamp() {
    return hasTimestamp;
  }

  /** When it was captured, in ns since the epoch. */
  final long timestampNs() {
    return timestampNs;
  }

  /** Packets passed over since the file was opened because they are not Ethernet frames. */
  final long skippedPackets() {
    return skippedPackets;
  }

  /** Goes back to the start of the file. */
  final void rewind() {
    position = start;
  }
}
