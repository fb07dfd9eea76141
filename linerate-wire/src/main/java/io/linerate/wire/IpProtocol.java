package io.linerate.wire;

import java.util.Map;

/**
 * Protocol numbers of IPv4's protocol and IPv6's next-header field, with the names of IANA's
 * registry "Protocol Numbers" as {@code /etc/protocols} writes them.
 */
public final class IpProtocol {
  public static final int HOPOPT = 0;
  public static final int ICMP = 1;
  public static final int IGMP = 2;
  public static final int IPIP = 4;
  public static final int TCP = 6;
  public static final int EGP = 8;
  public static final int UDP = 17;
  public static final int DCCP = 33;
  public static final int IPV6 = 41;
  public static final int IPV6_ROUTE = 43;
  public static final int IPV6_FRAG = 44;
  public static final int RSVP = 46;
  public static final int GRE = 47;
  public static final int ESP = 50;
  public static final int AH = 51;
  public static final int ICMPV6 = 58;
  public static final int IPV6_NONXT = 59;
  public static final int IPV6_OPTS = 60;
  public static final int EIGRP = 88;
  public static final int OSPF = 89;
  public static final int ETHERIP = 97;
  public static final int PIM = 103;
  public static final int IPCOMP = 108;
  public static final int VRRP = 112;
  public static final int L2TP = 115;
  public static final int SCTP = 132;
  public static final int MOBILITY_HEADER = 135;
  public static final int UDPLITE = 136;
  public static final int MPLS_IN_IP = 137;
  public static final int HIP = 139;
  public static final int SHIM6 = 140;
  public static final int ETHERNET = 143;

  /** The largest number there can be. */
  public static final int MAX = 0xFF;

  private static final ConstantNames NAMES =
      new ConstantNames(
          IpProtocol.class,
          Map.of("ipv6-icmp", ICMPV6, "icmp6", ICMPV6, "ipencap", IPIP, "ospfigp", OSPF));

  private IpProtocol() {}

  /** The name, or the number in decimal when it has none here. */
  public static String name(int protocol) {
    return NAMES.name(protocol, "%d");
  }

  /** The number that a name (in any case) stands for, or -1. */
  public static int number(String name) {
    return NAMES.number(name);
  }
}
