package io.linerate.driver.pcap;

import org.jspecify.annotations.Nullable;

/**
 * What the first four bytes of a pcap file say (draft-ietf-opsawg-pcap, section 4).
 *
 * @param swapped whether its byte order is not that of this machine
 * @param nsPerUnit ns in a unit of the fraction of a second
 */
record PcapFormat(boolean swapped, int nsPerUnit) {
  static final int MICROSECONDS_MAGIC = 0xA1B2C3D4;
  static final int NANOSECONDS_MAGIC = 0xA1B23C4D;

  /**
   * The link type of Ethernet (LINKTYPE_ETHERNET), the only one whose packets Linerate's ports
   * carry.
   */
  static final int ETHERNET = 1;

  /**
   * The format that a file has.
   *
   * @param magic as this machine reads it
   * @return null if that is not pcap's
   */
  static @Nullable PcapFormat of(int magic) {
    return switch (magic) {
      case MICROSECONDS_MAGIC -> new PcapFormat(false, 1_000);
      case NANOSECONDS_MAGIC -> new PcapFormat(false, 1);
      default ->
          switch (Integer.reverseBytes(magic)) {
            case MICROSECONDS_MAGIC -> new PcapFormat(true, 1_000);
            case NANOSECONDS_MAGIC -> new PcapFormat(true, 1);
            default -> null;
          };
    };
  }
}
