package io.linerate.driver.pcap;

import io.linerate.core.port.PortException;

/** Names of the link types that users meet, from the registry at tcpdump.org/linktypes.html. */
final class LinkTypes {
  private LinkTypes() {}

  static PortException refused(CaptureBytes bytes, int linkType) {
    return bytes.unusable(
        "its link type is " + linkType + " (" + name(linkType) + "), not Ethernet",
        "Linerate's ports carry Ethernet frames: capture on an Ethernet interface");
  }

  static String name(int linkType) {
    return switch (linkType) {
      case 0 -> "BSD loopback";
      case 1 -> "Ethernet";
      case 6 -> "Token Ring";
      case 9 -> "PPP";
      case 50 -> "PPP over HDLC";
      case 101 -> "raw IP";
      case 104 -> "Cisco HDLC";
      case 105 -> "IEEE 802.11";
      case 107 -> "frame relay";
      case 108 -> "OpenBSD loopback";
      case 113 -> "Linux cooked capture";
      case 127 -> "IEEE 802.11 with radiotap";
      case 228 -> "raw IPv4";
      case 229 -> "raw IPv6";
      case 239 -> "Linux netfilter log";
      case 276 -> "Linux cooked capture v2";
      default -> "another link";
    };
  }
}
