package io.linerate.driver.pcap;

import io.linerate.core.memory.LinkType;
import java.util.Set;

/**
 * Reads pcap files (draft-ietf-opsawg-pcap), those of old versions too: before 2.3 the two lengths
 * of a record are the other way round, in 2.3 some writers did so (pcap_check_header of libpcap's
 * sf-pcap.c).
 *
 * <pre>
 *  file:    0      4      6      8        16          20           24
 *          | magic | major| minor| reserved | snaplen   | link type  | records
 *  record:  0         4            8             12            16
 *          | seconds  | fraction   | captured len | original len | packet, from 24 in a modified format
 * </pre>
 */
final class PcapReader extends CaptureReader {
  static final int FILE_HEADER_BYTES = 24;
  static final int MAJOR_OFFSET = 4;
  static final int MINOR_OFFSET = 6;
  static final int SNAP_LENGTH_OFFSET = 16;
  static final int LINK_TYPE_OFFSET = 20;

  static final int FRACTION_OFFSET = 4;
  static final int CAPTURED_OFFSET = 8;
  static final int ORIGINAL_OFFSET = 12;

  /** As AIX wrote it. */
  private static final int AIX_MAJOR = 543;

  private final int nsPerUnit;
  private final int recordHeaderBytes;

  /** Where the captured and the original length are in a record; which, by their values. */
  private final boolean lengthsExchanged;

  private final boolean lengthsMayBeExchanged;

  PcapReader(CaptureBytes bytes, PcapFormat format, Set<LinkType> wanted) {
    super(bytes, FILE_HEADER_BYTES, wanted);
    recordHeaderBytes = format.recordHeaderBytes();
    hasTimestamp = true;
    swapped = format.swapped();
    nsPerUnit = format.nsPerUnit();
    bytes.checkLeft(0, FILE_HEADER_BYTES);
    int major = bytes.u16(MAJOR_OFFSET, swapped);
    int minor = bytes.u16(MINOR_OFFSET, swapped);
    if (!(major == 2 && minor <= 4) && major != AIX_MAJOR) {
      throw bytes.unusable(
          "it has version " + major + "." + minor + " of the format, and 2.0 to 2.4 can be read",
          "convert it with editcap");
    }
    lengthsExchanged = major == AIX_MAJOR || minor < 3;
    lengthsMayBeExchanged = !lengthsExchanged && minor == 3;
    // The upper half has the length of the frame check sequence and reserved bits.
    linkType = standard(bytes.i32(LINK_TYPE_OFFSET, swapped) & 0xFFFF);
    begins(linkType);
    requireWanted();
  }

  @Override
  boolean next() {
    long at = position;
    if (at == bytes.size()) {
      return false;
    }
    bytes.checkLeft(at, recordHeaderBytes);
    long lengths = bytes.pair(at + CAPTURED_OFFSET, swapped);
    if (areLengthsExchanged(lengths)) {
      lengths = Long.rotateLeft(lengths, Integer.SIZE);
    }
    int captured = (int) lengths;
    bytes.checkPacket(at, captured, Long.MAX_VALUE);
    bytes.checkLeft(at, recordHeaderBytes + captured);
    found(at, recordHeaderBytes, captured, (int) (lengths >>> Integer.SIZE));
    long time = bytes.pair(at, swapped);
    timestampNs = (time & 0xFFFF_FFFFL) * 1_000_000_000L + (time >>> Integer.SIZE) * nsPerUnit;
    position = at + recordHeaderBytes + captured;
    return true;
  }

  /** No more can have been captured of a packet than there was. */
  private boolean areLengthsExchanged(long lengths) {
    return lengthsExchanged
        || (lengthsMayBeExchanged
            && Integer.compareUnsigned((int) lengths, (int) (lengths >>> Integer.SIZE)) > 0);
  }
}
