package io.linerate.driver.pcap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * How packets look in a file that is written: little-endian, times in ns. The layouts stand at
 * {@link PcapReader} and {@link PcapngReader}.
 */
sealed interface RecordFormat permits PcapRecordFormat, PcapngRecordFormat {
  ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
  ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** More than {@link #writeFileHeader} or {@link #writeLinkType} write. */
  int MAX_HEADER_BYTES = 128;

  /** Writes what a file begins with, for packets of this link type; its length. */
  int writeFileHeader(MemorySegment target, int snapLengthBytes, int linkType);

  /**
   * Writes at {@code at} what has to be in front of the first packet of a further link type.
   *
   * @return its length, or -1 if the format has one link type for all packets
   */
  int writeLinkType(MemorySegment target, long at, int snapLengthBytes, int linkType);

  /** Bytes of a record with a packet of {@code captured} bytes. */
  int recordBytes(int captured);

  /** Bytes of what is written at {@code at}: a record, or what {@link #writeLinkType} wrote. */
  int writtenBytes(MemorySegment source, long at);

  /** Whether that is a record. */
  boolean isRecord(MemorySegment source, long at);

  /** Bytes in front of the packet. */
  int headerBytes();

  /**
   * Writes everything of a record at {@code at} but the packet.
   *
   * @param linkIndex which of the file's link types it has: 0 is the first
   */
  void writeRecord(
      MemorySegment target, long at, int linkIndex, long epochNs, int captured, int original);

  /** Bytes that a record is longer with a comment; 0 where the format has none. */
  int commentBytes(byte[] comment);

  /** Makes a record longer that was written at {@code at}, by {@link #commentBytes}. */
  int writeComment(MemorySegment target, long at, byte[] comment);
}
