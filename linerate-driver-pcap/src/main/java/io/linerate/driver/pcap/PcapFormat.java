package io.linerate.driver.pcap;

import org.jspecify.annotations.Nullable;

/**
 * What the first four bytes of a pcap file say (draft-ietf-opsawg-pcap, section 4).
 *
 * @param swapped whether its byte order is not that of this machine
 * @param nsPerUnit ns in a unit of the fraction of a second
 * @param recordHeaderBytes in front of each packet
 */
record PcapFormat(boolean swapped, int nsPerUnit, int recordHeaderBytes) {
  static final int MICROSECONDS_MAGIC = 0xA1B2C3D4;
  static final int NANOSECONDS_MAGIC = 0xA1B23C4D;

  /** Of a modified libpcap of the 1990s: interface, protocol and direction follow the lengths. */
  static final int MODIFIED_MAGIC = 0xA1B2CD34;

  static final int RECORD_HEADER_BYTES = 16;
  private static final int MODIFIED_RECORD_HEADER_BYTES = 24;

  /**
   * The format that a file has.
   *
   * @param magic as this machine reads it
   * @return null if that is not pcap's
   */
  static @Nullable PcapFormat of(int magic) {
    PcapFormat asIs = of(magic, false);
    return asIs != null ? asIs : of(Integer.reverseBytes(magic), true);
  }

  private static @Nullable PcapFormat of(int magic, boolean swapped) {
    return switch (magic) {
      case MICROSECONDS_MAGIC -> new PcapFormat(swapped, 1_000, RECORD_HEADER_BYTES);
      case NANOSECONDS_MAGIC -> new PcapFormat(swapped, 1, RECORD_HEADER_BYTES);
      case MODIFIED_MAGIC -> new PcapFormat(swapped, 1_000, MODIFIED_RECORD_HEADER_BYTES);
      default -> null;
    };
  }
}
