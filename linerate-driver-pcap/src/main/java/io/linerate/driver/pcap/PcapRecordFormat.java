package io.linerate.driver.pcap;

import java.lang.foreign.MemorySegment;

/** Records of a pcap file with times in ns. */
final class PcapRecordFormat implements RecordFormat {
  private static final long NS_PER_SECOND = 1_000_000_000L;

  @Override
  public int writeFileHeader(MemorySegment target, int snapLengthBytes, int linkType) {
    target.asSlice(0, PcapReader.FILE_HEADER_BYTES).fill((byte) 0);
    target.set(U32, 0, PcapFormat.NANOSECONDS_MAGIC);
    target.set(U16, PcapReader.MAJOR_OFFSET, (short) 2);
    target.set(U16, PcapReader.MINOR_OFFSET, (short) 4);
    target.set(U32, PcapReader.SNAP_LENGTH_OFFSET, snapLengthBytes);
    target.set(U32, PcapReader.LINK_TYPE_OFFSET, linkType);
    return PcapReader.FILE_HEADER_BYTES;
  }

  @Override
  public int writeLinkType(MemorySegment target, long at, int snapLengthBytes, int linkType) {
    return -1;
  }

  @Override
  public int recordBytes(int captured) {
    return PcapFormat.RECORD_HEADER_BYTES + captured;
  }

  @Override
  public int writtenBytes(MemorySegment source, long at) {
    return recordBytes(source.get(U32, at + PcapReader.CAPTURED_OFFSET));
  }

  @Override
  public boolean isRecord(MemorySegment source, long at) {
    return true;
  }

  @Override
  public int headerBytes() {
    return PcapFormat.RECORD_HEADER_BYTES;
  }

  @Override
  public void writeRecord(
      MemorySegment target, long at, int linkIndex, long epochNs, int captured, int original) {
    target.set(U32, at, (int) Math.floorDiv(epochNs, NS_PER_SECOND));
    target.set(U32, at + PcapReader.FRACTION_OFFSET, (int) Math.floorMod(epochNs, NS_PER_SECOND));
    target.set(U32, at + PcapReader.CAPTURED_OFFSET, captured);
    target.set(U32, at + PcapReader.ORIGINAL_OFFSET, original);
  }

  @Override
  public int commentBytes(byte[] comment) {
    return 0;
  }

  @Override
  public int writeComment(MemorySegment target, long at, byte[] comment) {
    return 0;
  }
}
