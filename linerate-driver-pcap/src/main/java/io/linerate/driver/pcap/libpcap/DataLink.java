package io.linerate.driver.pcap.libpcap;

import io.linerate.core.port.PortException;

/** The kinds of frames that libpcap brings, by its numbers DLT_ (pcap/dlt.h) and LINKTYPE_. */
final class DataLink {
  /** Ethernet, in both. */
  private static final int ETHERNET = 1;

  private DataLink() {}

  /**
   * The number in capture files, LINKTYPE_ of tcpdump.org/linktypes.html, which is the same on all
   * systems: DLT_ differs for what was there before 104 (dlt_to_linktype of libpcap's
   * pcap-common.c).
   *
   * @param datalink DLT_ number of Linux
   */
  static int linkType(int datalink) {
    return switch (datalink) {
      case 11 -> 100; // ATM, RFC 1483
      case 12 -> 101; // Raw IP
      case 15 -> 102; // SLIP of BSD/OS
      case 16 -> 103; // PPP of BSD/OS
      case 18 -> 246; // pfsync
      case 19 -> 106; // Classical IP over ATM
      default -> datalink;
    };
  }

  /**
   * Refuses what no port carries. The one place that says what they do.
   *
   * @param source what is opened, such as {@code interface=eth0}
   * @return the link type's number in capture files
   */
  static int require(long pcap, String source) {
    int datalink = Libpcap.datalink(pcap);
    int linkType = linkType(datalink);
    if (linkType != ETHERNET) {
      throw new PortException(
          "frames are not Ethernet: %s, link type=%d (%s); Linerate's ports carry Ethernet frames: name another interface"
              .formatted(source, linkType, Libpcap.datalinkName(datalink)));
    }
    return linkType;
  }
}
