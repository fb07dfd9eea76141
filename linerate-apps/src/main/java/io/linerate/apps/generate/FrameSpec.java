package io.linerate.apps.generate;

import io.linerate.wire.Ethernet;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Vlan;

/**
 * The frames of a stream.
 *
 * @param ipVersion 4 or 6; 4 for ARP
 * @param vlan the tag's VLAN identifier, or -1 without a tag
 * @param isSequenced whether the payload has sequence numbers, see {@link Stamp}
 * @param isTimed whether it has timestamps
 */
record FrameSpec(
    FrameProtocol protocol,
    int ipVersion,
    SizeMix sizes,
    ValueRange source,
    ValueRange destination,
    ValueRange sourcePort,
    ValueRange destinationPort,
    long sourceMac,
    long destinationMac,
    int vlan,
    Payload payload,
    boolean isSequenced,
    boolean isTimed) {
  static final int NO_VLAN = -1;

  boolean isStamped() {
    return isSequenced || isTimed;
  }

  boolean isArp() {
    return protocol == FrameProtocol.ARP;
  }

  int l3Offset() {
    return l3Offset(vlan);
  }

  int l4Offset() {
    return l3Offset() + (isArp() ? 0 : ipVersion == 4 ? Ipv4.HEADER_BYTES : Ipv6.HEADER_BYTES);
  }

  int payloadOffset() {
    return l4Offset() + protocol.headerBytes;
  }

  private static int l3Offset(int vlan) {
    return Ethernet.HEADER_BYTES + (vlan == NO_VLAN ? 0 : Vlan.HEADER_BYTES);
  }

  /** The smallest frame that headers and stamp fit in, with its check sequence. */
  static int leastBytes(FrameProtocol protocol, int ipVersion, int vlan, boolean isStamped) {
    int ip =
        protocol == FrameProtocol.ARP ? 0 : ipVersion == 4 ? Ipv4.HEADER_BYTES : Ipv6.HEADER_BYTES;
    return l3Offset(vlan)
        + ip
        + protocol.headerBytes
        + (isStamped ? Stamp.BYTES : 0)
        + SizeMix.FCS_BYTES;
  }

  boolean addressesVary() {
    return !source.isFixed() || !destination.isFixed();
  }

  boolean portsVary() {
    return protocol.hasPorts() && !(sourcePort.isFixed() && destinationPort.isFixed());
  }
}
