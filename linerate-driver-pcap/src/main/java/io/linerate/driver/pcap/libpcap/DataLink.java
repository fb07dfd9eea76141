package io.linerate.driver.pcap.libpcap;

import io.linerate.core.memory.LinkType;

/** What libpcap's packets begin with: its numbers DLT_ (pcap/dlt.h) as link types. */
final class DataLink {
  /** From here on both numbers are the same. */
  private static final int FIRST_EQUAL = 104;

  private DataLink() {}

  /**
   * The link type, LINKTYPE_ of tcpdump.org/linktypes.html, which is the same on all systems: DLT_
   * differs for what was there before 104 (dlt_to_linktype of libpcap's pcap-common.c).
   *
   * @param datalink DLT_ number of Linux
   */
  static LinkType of(int datalink) {
    return LinkType.of(number(datalink));
  }

  private static int number(int datalink) {
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

  /** The DLT_ number of Linux for a link type. */
  static int datalink(LinkType type) {
    for (int datalink = 0; datalink < FIRST_EQUAL; datalink++) {
      if (number(datalink) == type.number()) {
        return datalink;
      }
    }
    return type.number();
  }
}
