package io.linerate.middlebox.rule;

import io.linerate.track.Relation;

/**
 * What rules know of a packet.
 *
 * @param in name of the port that it came by
 * @param out name of the port that it leaves by
 * @param vlan identifier of the outermost VLAN tag, or {@link #UNTAGGED}
 * @param etherType behind the tags
 * @param version of IP, 4 or 6; 0 for what is not IP, of which nothing below is looked at
 * @param sourceHigh bytes 0 to 7 of an IPv6 address; 0 for IPv4
 * @param sourceLow bytes 8 to 15, or the 32 bits of an IPv4 address
 * @param destinationHigh likewise
 * @param destinationLow likewise
 * @param protocol behind the extension headers, 0 to 255
 * @param ports the first four bytes of the header of TCP, UDP and their like, of ICMP type and code
 *     and 0; 0 for others, and for all fragments but the first
 * @param flags of TCP, 8 bits; 0 for others
 * @param relation to the connections that are known
 */
public record RulePacket(
    String in,
    String out,
    int vlan,
    int etherType,
    int version,
    long sourceHigh,
    long sourceLow,
    long destinationHigh,
    long destinationLow,
    int protocol,
    int ports,
    int flags,
    Relation relation) {
  /** Stands for "without a tag" among the identifiers of VLANs, 0 to 4,095. */
  public static final int UNTAGGED = 4_096;
}
