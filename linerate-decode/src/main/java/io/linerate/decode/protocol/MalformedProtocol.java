package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Layer;
import io.linerate.decode.Mark;
import io.linerate.decode.Protocol;
import java.util.Map;

/**
 * Which layers of a packet are malformed: no layer of it, but what comes behind the last. Only
 * layers that are dissected are looked at as a whole.
 */
public final class MalformedProtocol implements Protocol {
  public static final String NAME = "_ws.malformed";
  public static final Fields MALFORMED = Fields.of(NAME, "Malformed packet", "tshark");

  /** Twice for each layer that is malformed, as tshark has it: which it is, and that it is. */
  public static final Field LAYER = MALFORMED.floating(NAME, 0, TEXT, "Malformed layer");

  /** What tshark calls protocols in short, where that is not their name in capitals. */
  private static final Map<String, String> SHORT_NAMES =
      Map.ofEntries(
          Map.entry("arp", "ARP/RARP"),
          Map.entry("bfd", "BFD Control"),
          Map.entry("ccp", "PPP CCP"),
          Map.entry("chap", "PPP CHAP"),
          Map.entry("dhcp", "DHCP/BOOTP"),
          Map.entry("dhcpv6", "DHCPv6"),
          Map.entry("dns_tcp", "DNS"),
          Map.entry("eth", "Ethernet"),
          Map.entry("geneve", "Geneve"),
          Map.entry("icmpv6", "ICMPv6"),
          Map.entry("ieee8021ad", "IEEE 802.1AD"),
          Map.entry("ip", "IPv4"),
          Map.entry("ipcp", "PPP IPCP"),
          Map.entry("ipv6", "IPv6"),
          Map.entry("ipv6.dstopts", "IPv6 Destination"),
          Map.entry("ipv6.fraghdr", "IPv6 Fragment"),
          Map.entry("ipv6.hopopts", "IPv6 Hop-by-Hop"),
          Map.entry("ipv6.routing", "IPv6 Routing"),
          Map.entry("ipv6cp", "PPP IPV6CP"),
          Map.entry("lacp", "Link Aggregation Control Protocol"),
          Map.entry("lcp", "PPP LCP"),
          Map.entry("macsec", "MACsec"),
          Map.entry("marker", "Link Aggregation Marker Protocol"),
          Map.entry("mdns", "mDNS"),
          Map.entry("mipv6", "MIPv6"),
          Map.entry("mp", "PPP MP"),
          Map.entry("null", "Null"),
          Map.entry("pap", "PPP PAP"),
          Map.entry("pppoed", "PPPoED"),
          Map.entry("pppoes", "PPPoES"),
          Map.entry("pwach", "PW Associated Channel"),
          Map.entry("pwethcw", "Ethernet PW (with CW)"),
          Map.entry("radiotap", "802.11 Radiotap"),
          Map.entry("raw", "Raw"),
          Map.entry("sctp.chunk", "SCTP"),
          Map.entry("shim6", "Shim6"),
          Map.entry("sll2", "SLL"),
          Map.entry("slow", "802.3 Slow protocols"),
          Map.entry("syslog", "Syslog"),
          Map.entry("udplite", "UDP-Lite"),
          Map.entry("vxlan_gpe", "VXLAN (GPE)"),
          Map.entry("wlan", "IEEE 802.11"),
          Map.entry("wlan.mgt", "IEEE 802.11"),
          Map.entry("wlan_aggregate", "IEEE 802.11 Aggregate Data"));

  @Override
  public Fields fields() {
    return MALFORMED;
  }

  @Override
  public void dissect(Dissection dissection) {
    for (int i = 0; i < dissection.layers(); i++) {
      Layer layer = dissection.layer(i);
      if (layer.mark() == Mark.MALFORMED) {
        String name = layer.name();
        StringBuilder text = dissection.text();
        text.append("[Malformed Packet: ");
        String shortName = SHORT_NAMES.get(name);
        if (shortName == null) {
          appendUpperCase(text, name);
        } else {
          text.append(shortName);
        }
        text.append(']');
        dissection.text(LAYER, text, 0, 0);
        dissection.text(LAYER, NAME, 0, 0);
      }
    }
  }

  private static void appendUpperCase(StringBuilder text, String name) {
    for (int i = 0; i < name.length(); i++) {
      text.append(Character.toUpperCase(name.charAt(i)));
    }
  }
}
