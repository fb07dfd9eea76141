package io.linerate.filter.code;

/** What an offset counts from. */
enum Base {
  PACKET,
  LINK_HEADER,
  /** The link header in whose packet the one that counts now was found. */
  PREVIOUS_LINK_HEADER,
  LINK_TYPE,
  LINK_PAYLOAD,
  PREVIOUS_MPLS_HEADER,
  NETWORK,
  /** Behind a header of IEEE 802.2 without SNAP. */
  NETWORK_WITHOUT_SNAP,
  IPV4_PAYLOAD,
  IPV6_PAYLOAD
}
