package io.linerate.wire;

/** What is wrong with a packet's headers, as {@link HeaderScanner} found it. */
public enum HeaderDefect {
  /** Nothing. */
  NONE(true),

  /** The packet is shorter than an Ethernet header. */
  TRUNCATED_ETHERNET(false),

  /** The packet ends within a VLAN tag. */
  TRUNCATED_VLAN(false),

  /** The packet ends within the IP header. */
  TRUNCATED_IP(false),

  /** The ether type says IPv4 or IPv6, the version field of the IP header says something else. */
  BAD_IP_VERSION(false),

  /** The IHL is below 5. */
  BAD_HEADER_LENGTH(false),

  /** IPv4's total length is shorter than the header. */
  BAD_TOTAL_LENGTH(false),

  /** The packet ends within an IPv6 extension header, or an authentication header of IPv4. */
  TRUNCATED_EXTENSION_HEADER(false),

  /** More extension headers than {@link HeaderScanner#MAX_EXTENSION_HEADERS}. */
  TOO_MANY_EXTENSION_HEADERS(false),

  /**
   * A second IPv6 fragment header, in a packet whole or the first part of one. RFC 8200, section
   * 4.1 lets it occur once; whoever reads the first and whoever reads the last would see different
   * packets, and Linux drops them (IP6SKB_FRAGMENTED of net/ipv6/reassembly.c).
   */
  NESTED_FRAGMENT(false),

  /** The packet ends within the header of TCP, UDP, ICMP or ICMPv6. */
  TRUNCATED_L4(true),

  /** TCP's data offset is below 5. */
  BAD_DATA_OFFSET(true),

  /**
   * The packet ends before the length that its IP header claims: cut off by a capture's snap
   * length, or forged. All headers are there.
   */
  TRUNCATED_PAYLOAD(true),

  /** The packet ends within the header of a link layer that is not Ethernet. */
  TRUNCATED_LINK(false);

  private final boolean soundUpToL3;

  HeaderDefect(boolean soundUpToL3) {
    this.soundUpToL3 = soundUpToL3;
  }

  /** Whether the headers up to that of IP, extension headers included, can be relied on. */
  public boolean soundUpToL3() {
    return soundUpToL3;
  }
}
