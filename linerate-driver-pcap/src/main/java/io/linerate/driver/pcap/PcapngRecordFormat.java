package io.linerate.driver.pcap;

import java.lang.foreign.MemorySegment;

/** A pcapng file of one section with an interface for each link type, whose clocks count ns. */
final class PcapngRecordFormat implements RecordFormat {
  private static final int RESOLUTION_NS = 9;
  private static final int OPTION_BYTES = 8;
  private static final int CAPTURED_OFFSET = 20;

  /** opt_comment, and what options are made of. */
  private static final int COMMENT = 1;

  private static final int OPTION_HEADER_BYTES = 4;
  private static final int END_BYTES = 4;

  /** The length of a block stands at its end, too. */
  private static final int LENGTH_BYTES = 4;

  /** Interface block with if_tsresol and the end of options. */
  private static final int INTERFACE_BYTES = PcapngReader.INTERFACE_BYTES + OPTION_BYTES + 4;

  @Override
  public int writeFileHeader(MemorySegment target, int snapLengthBytes, int linkType) {
    target.asSlice(0, PcapngReader.SECTION_BYTES).fill((byte) 0);
    block(target, 0, PcapngReader.SECTION, PcapngReader.SECTION_BYTES);
    target.set(U32, 8, PcapngReader.BYTE_ORDER_MAGIC);
    target.set(U16, 12, (short) 1);
    target.set(U32, 16, -1); // Section length: not specified.
    target.set(U32, 20, -1);
    int start = PcapngReader.SECTION_BYTES;
    return start + writeLinkType(target, start, snapLengthBytes, linkType);
  }

  @Override
  public int writeLinkType(MemorySegment target, long at, int snapLengthBytes, int linkType) {
    target.asSlice(at, INTERFACE_BYTES).fill((byte) 0);
    block(target, at, PcapngReader.INTERFACE, INTERFACE_BYTES);
    target.set(U16, at + 8, (short) linkType);
    target.set(U32, at + 12, snapLengthBytes);
    target.set(U16, at + 16, (short) PcapngReader.TIMESTAMP_RESOLUTION);
    target.set(U16, at + 18, (short) 1);
    target.set(U32, at + 20, RESOLUTION_NS);
    return INTERFACE_BYTES;
  }

  @Override
  public int recordBytes(int captured) {
    return PcapngReader.PACKET_BYTES + padded(captured);
  }

  @Override
  public int writtenBytes(MemorySegment source, long at) {
    return source.get(U32, at + 4);
  }

  @Override
  public boolean isRecord(MemorySegment source, long at) {
    return source.get(U32, at) == PcapngReader.ENHANCED_PACKET;
  }

  @Override
  public int headerBytes() {
    return PcapngReader.PACKET_DATA_OFFSET;
  }

  @Override
  public void writeRecord(
      MemorySegment target, long at, int linkIndex, long epochNs, int captured, int original) {
    int length = recordBytes(captured);
    target.set(U32, at + length - 8, 0); // Padding, where the packet does not reach.
    block(target, at, PcapngReader.ENHANCED_PACKET, length);
    target.set(U32, at + 8, linkIndex);
    target.set(U32, at + 12, (int) (epochNs >>> 32));
    target.set(U32, at + 16, (int) epochNs);
    target.set(U32, at + CAPTURED_OFFSET, captured);
    target.set(U32, at + 24, original);
  }

  /** An option of its length and the end of options (section 3.5). */
  @Override
  public int commentBytes(byte[] comment) {
    return comment.length == 0 ? 0 : OPTION_HEADER_BYTES + padded(comment.length) + END_BYTES;
  }

  @Override
  public int writeComment(MemorySegment target, long at, byte[] comment) {
    int more = commentBytes(comment);
    if (more > 0) {
      int length = writtenBytes(target, at);
      long option = at + length - LENGTH_BYTES;
      target.asSlice(option, more).fill((byte) 0);
      target.set(U16, option, (short) COMMENT);
      target.set(U16, option + 2, (short) comment.length);
      MemorySegment.copy(comment, 0, target, U8, option + OPTION_HEADER_BYTES, comment.length);
      block(target, at, PcapngReader.ENHANCED_PACKET, length + more);
    }
    return more;
  }

  private static int padded(int bytes) {
    return (bytes + 3) & ~3;
  }

  private static void block(MemorySegment target, long at, int type, int length) {
    target.set(U32, at, type);
    target.set(U32, at + 4, length);
    target.set(U32, at + length - 4, length);
  }
}
