package io.linerate.filter.code;

import org.jspecify.annotations.Nullable;

/** Names of network protocols, behind {@code ether proto}. */
final class NetworkNames {
  private NetworkNames() {}

  /** A number of {@link NetworkTypes}, or null. */
  static @Nullable Integer number(String name) {
    return switch (name) {
      case "aarp" -> NetworkTypes.AARP;
      case "arp" -> NetworkTypes.ARP;
      case "atalk" -> NetworkTypes.APPLETALK;
      case "decnet" -> NetworkTypes.DECNET;
      case "ip" -> NetworkTypes.IPV4;
      case "ip6" -> NetworkTypes.IPV6;
      case "lat" -> NetworkTypes.LAT;
      case "loopback" -> NetworkTypes.LOOPBACK;
      case "mopdl" -> NetworkTypes.MOP_DL;
      case "moprc" -> NetworkTypes.MOP_RC;
      case "rarp" -> NetworkTypes.RARP;
      case "sca" -> NetworkTypes.SCA;
      case "iso" -> NetworkTypes.SAP_OSI;
      case "stp" -> NetworkTypes.SAP_SPANNING_TREE;
      case "ipx" -> NetworkTypes.SAP_IPX;
      case "netbeui" -> NetworkTypes.SAP_NETBEUI;
      default -> null;
    };
  }
}
