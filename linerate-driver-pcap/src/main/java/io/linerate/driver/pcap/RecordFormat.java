package io.linerate.driver.pcap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * How packets look in a file that is written: little-endian, times in ns, Ethernet. The layouts
 * stand at {@link PcapReader} and {@link PcapngReader}.
 */
sealed interface RecordFormat permits PcapRecordFormat, PcapngRecordFormat {
  ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Writes what a file begins with; its length. */
  int writeFileHeader(MemorySegment target, int snapLengthBytes);

  /** Bytes of a record with a packet of {@code captured} bytes. */
  int recordBytes(int captured);

  /** Captured bytes of the packet in the record at {@code at}. */
  int captured(MemorySegment source, long at);

  /** Bytes in front of the packet. */
  int headerBytes();

  /** Writes everything of a record at {@code at} but the packet. */
  void writeRecord(MemorySegment target, long at, long epochNs, int captured, int original);
}
