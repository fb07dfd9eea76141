package io.linerate.decode.protocol;

import io.linerate.decode.ValueNames;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import java.util.Map;

/** What numbers are called that say which protocol follows. */
final class NumberNames {
  static final ValueNames IP_PROTOCOLS =
      ValueNames.of(
          Map.ofEntries(
              Map.entry(IpProtocol.HOPOPT, "hop-by-hop options"),
              Map.entry(IpProtocol.ICMP, "ICMP"),
              Map.entry(IpProtocol.IGMP, "IGMP"),
              Map.entry(IpProtocol.IPIP, "IPv4"),
              Map.entry(IpProtocol.TCP, "TCP"),
              Map.entry(IpProtocol.EGP, "EGP"),
              Map.entry(IpProtocol.UDP, "UDP"),
              Map.entry(IpProtocol.DCCP, "DCCP"),
              Map.entry(IpProtocol.IPV6, "IPv6"),
              Map.entry(IpProtocol.IPV6_ROUTE, "routing header"),
              Map.entry(IpProtocol.IPV6_FRAG, "fragment header"),
              Map.entry(IpProtocol.RSVP, "RSVP"),
              Map.entry(IpProtocol.GRE, "GRE"),
              Map.entry(IpProtocol.ESP, "ESP"),
              Map.entry(IpProtocol.AH, "AH"),
              Map.entry(IpProtocol.ICMPV6, "ICMPv6"),
              Map.entry(IpProtocol.IPV6_NONXT, "no next header"),
              Map.entry(IpProtocol.IPV6_OPTS, "destination options"),
              Map.entry(IpProtocol.EIGRP, "EIGRP"),
              Map.entry(IpProtocol.OSPF, "OSPF"),
              Map.entry(IpProtocol.ETHERIP, "EtherIP"),
              Map.entry(IpProtocol.PIM, "PIM"),
              Map.entry(IpProtocol.IPCOMP, "IPComp"),
              Map.entry(IpProtocol.VRRP, "VRRP"),
              Map.entry(IpProtocol.L2TP, "L2TP"),
              Map.entry(IpProtocol.SCTP, "SCTP"),
              Map.entry(IpProtocol.MOBILITY_HEADER, "mobility header"),
              Map.entry(IpProtocol.UDPLITE, "UDP-Lite"),
              Map.entry(IpProtocol.MPLS_IN_IP, "MPLS"),
              Map.entry(IpProtocol.HIP, "HIP"),
              Map.entry(IpProtocol.SHIM6, "Shim6"),
              Map.entry(IpProtocol.ETHERNET, "Ethernet")));

  static final ValueNames ETHER_TYPES =
      ValueNames.of(
          Map.ofEntries(
              Map.entry(EtherType.IPV4, "IPv4"),
              Map.entry(EtherType.ARP, "ARP"),
              Map.entry(EtherType.WAKE_ON_LAN, "Wake-on-LAN"),
              Map.entry(EtherType.RARP, "RARP"),
              Map.entry(EtherType.VLAN, "VLAN"),
              Map.entry(EtherType.IPV6, "IPv6"),
              Map.entry(EtherType.SLOW_PROTOCOLS, "slow protocols"),
              Map.entry(EtherType.MPLS, "MPLS"),
              Map.entry(EtherType.MPLS_MULTICAST, "MPLS, multicast"),
              Map.entry(EtherType.PPPOE_DISCOVERY, "PPPoE discovery"),
              Map.entry(EtherType.PPPOE_SESSION, "PPPoE session"),
              Map.entry(EtherType.EAPOL, "EAPOL"),
              Map.entry(EtherType.PROVIDER_BRIDGE, "provider bridge"),
              Map.entry(EtherType.LLDP, "LLDP"),
              Map.entry(EtherType.MACSEC, "MACsec"),
              Map.entry(EtherType.PTP, "PTP")));

  private NumberNames() {}
}
