package io.linerate.driver.pcap;

/**
 * Reads pcap files (draft-ietf-opsawg-pcap).
 *
 * <pre>
 *  file:    0      4      6      8        16          20           24
 *          | magic | major| minor| reserved | snaplen   | link type  | records
 *  record:  0         4            8             12            16
 *          | seconds  | fraction   | captured len | original len | packet
 * </pre>
 */
final class PcapReader extends CaptureReader {
  static final int FILE_HEADER_BYTES = 24;
  static final int MAJOR_OFFSET = 4;
  static final int MINOR_OFFSET = 6;
  static final int SNAP_LENGTH_OFFSET = 16;
  static final int LINK_TYPE_OFFSET = 20;

  static final int RECORD_HEADER_BYTES = 16;
  static final int FRACTION_OFFSET = 4;
  static final int CAPTURED_OFFSET = 8;
  static final int ORIGINAL_OFFSET = 12;

  private final int nsPerUnit;

  PcapReader(CaptureBytes bytes, PcapFormat format) {
    super(bytes, FILE_HEADER_BYTES);
    hasTimestamp = true;
    swapped = format.swapped();
    nsPerUnit = format.nsPerUnit();
    bytes.checkLeft(0, FILE_HEADER_BYTES);
    int major = bytes.u16(MAJOR_OFFSET, swapped);
    int minor = bytes.u16(MINOR_OFFSET, swapped);
    if (major != 2 || minor != 4) {
      throw bytes.unusable(
          "it has version " + major + "." + minor + " of the format, and only 2.4 can be read",
          "convert it with editcap");
    }
    // The upper half has the length of the frame check sequence and reserved bits.
    int linkType = bytes.i32(LINK_TYPE_OFFSET, swapped) & 0xFFFF;
    if (linkType != PcapFormat.ETHERNET) {
      throw LinkTypes.refused(bytes, linkType);
    }
  }

  @Override
  boolean next() {
    long at = position;
    if (at == bytes.size()) {
      return false;
    }
    bytes.checkLeft(at, RECORD_HEADER_BYTES);
    int captured = bytes.i32(at + CAPTURED_OFFSET, swapped);
    bytes.checkPacket(at, captured, Long.MAX_VALUE);
    bytes.checkLeft(at, RECORD_HEADER_BYTES + captured);
    found(at, RECORD_HEADER_BYTES, captured);
    long fraction = bytes.u32(at + FRACTION_OFFSET, swapped);
    timestampNs = bytes.u32(at, swapped) * 1_000_000_000L + fraction * nsPerUnit;
    position = at + RECORD_HEADER_BYTES + captured;
    return true;
  }
}
