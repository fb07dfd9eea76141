package io.linerate.wire;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Protocol numbers of IPv4's protocol and IPv6's next-header field, with the names of IANA's
 * registry "Protocol Numbers" as {@code /etc/protocols} writes them.
 */
public final class IpProtocol {
  public static final int HOP_BY_HOP = 0;
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
  public static final int IPV6_NO_NEXT = 59;
  public static final int IPV6_OPTS = 60;
  public static final int EIGRP = 88;
  public static final int OSPF = 89;
  public static final int ETHERIP = 97;
  public static final int PIM = 103;
  public static final int IPCOMP = 108;
  public static final int VRRP = 112;
  public static final int L2TP = 115;
  public static final int SCTP = 132;
  public static final int MOBILITY = 135;
  public static final int UDPLITE = 136;
  public static final int MPLS_IN_IP = 137;
  public static final int HIP = 139;
  public static final int SHIM6 = 140;
  public static final int ETHERNET = 143;

  /** The largest number there can be. */
  public static final int MAX = 0xFF;

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(HOP_BY_HOP, "hopopt"),
          Map.entry(ICMP, "icmp"),
          Map.entry(IGMP, "igmp"),
          Map.entry(IPIP, "ipip"),
          Map.entry(TCP, "tcp"),
          Map.entry(EGP, "egp"),
          Map.entry(UDP, "udp"),
          Map.entry(DCCP, "dccp"),
          Map.entry(IPV6, "ipv6"),
          Map.entry(IPV6_ROUTE, "ipv6-route"),
          Map.entry(IPV6_FRAG, "ipv6-frag"),
          Map.entry(RSVP, "rsvp"),
          Map.entry(GRE, "gre"),
          Map.entry(ESP, "esp"),
          Map.entry(AH, "ah"),
          Map.entry(ICMPV6, "icmpv6"),
          Map.entry(IPV6_NO_NEXT, "ipv6-nonxt"),
          Map.entry(IPV6_OPTS, "ipv6-opts"),
          Map.entry(EIGRP, "eigrp"),
          Map.entry(OSPF, "ospf"),
          Map.entry(ETHERIP, "etherip"),
          Map.entry(PIM, "pim"),
          Map.entry(IPCOMP, "ipcomp"),
          Map.entry(VRRP, "vrrp"),
          Map.entry(L2TP, "l2tp"),
          Map.entry(SCTP, "sctp"),
          Map.entry(MOBILITY, "mobility-header"),
          Map.entry(UDPLITE, "udplite"),
          Map.entry(MPLS_IN_IP, "mpls-in-ip"),
          Map.entry(HIP, "hip"),
          Map.entry(SHIM6, "shim6"),
          Map.entry(ETHERNET, "ethernet"));

  private static final Map<String, Integer> NUMBERS = numbers();

  private IpProtocol() {}

  /** The name, or the number in decimal when it has none here. */
  public static String name(int protocol) {
    String name = NAMES.get(protocol);
    return name != null ? name : Integer.toString(protocol);
  }

  /** The number that a name (in any case) stands for, or -1. */
  public static int number(String name) {
    return NUMBERS.getOrDefault(name.toLowerCase(Locale.ROOT), -1);
  }

  private static Map<String, Integer> numbers() {
    Map<String, Integer> numbers = new HashMap<>();
    NAMES.forEach((number, name) -> numbers.put(name, number));
    // Other names that people write.
    numbers.put("ipv6-icmp", ICMPV6);
    numbers.put("icmp6", ICMPV6);
    numbers.put("ipencap", IPIP);
    numbers.put("ospfigp", OSPF);
    return Map.copyOf(numbers);
  }
}
