package io.linerate.filter.syntax;

import io.linerate.core.config.NearestWord;
import java.util.Locale;
import java.util.Map;

/** What is said of a name with no keyword in front of it. */
public final class BareName {
  private static final String KEYWORD = "expected=host, port, proto or another keyword in front";

  /**
   * What people write, as Wireshark's display filters have it, and what this language has for it.
   */
  private static final Map<String, String> INSTEAD =
      Map.ofEntries(
          Map.entry("bgp", "tcp port 179"),
          Map.entry("bootp", "udp port 67 or udp port 68"),
          Map.entry("dhcp", "udp port 67 or udp port 68"),
          Map.entry("dns", "udp port 53"),
          Map.entry("eth", "ether"),
          Map.entry("ftp", "tcp port 21"),
          Map.entry("http", "tcp port 80"),
          Map.entry("https", "tcp port 443"),
          Map.entry("icmpv6", "icmp6"),
          Map.entry("ipv4", "ip"),
          Map.entry("ipv6", "ip6"),
          Map.entry("ntp", "udp port 123"),
          Map.entry("quic", "udp port 443"),
          Map.entry("rtp", "udp"),
          Map.entry("sip", "udp port 5060"),
          Map.entry("smtp", "tcp port 25"),
          Map.entry("snmp", "udp port 161"),
          Map.entry("ssh", "tcp port 22"),
          Map.entry("ssl", "tcp port 443"),
          Map.entry("telnet", "tcp port 23"),
          Map.entry("tls", "tcp port 443"));

  private BareName() {}

  /** What is wrong with a word, and what to write, as messages have it. */
  public static String problem(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    if (isDisplayField(lower)) {
      return "found=%s, a field of Wireshark's display filters; expected=a filter of pcap such as src host 192.0.2.1"
          .formatted(word);
    }
    String instead = INSTEAD.get(lower);
    if (instead != null) {
      return "found=%s; write %s".formatted(word, instead);
    }
    return NearestWord.to(lower, Keywords.words())
        .map(near -> "found=%s, nearest=%s, %s".formatted(word, near, KEYWORD))
        .orElse(KEYWORD);
  }

  /** Whether it is a protocol, a point and a name. */
  private static boolean isDisplayField(String word) {
    int point = word.indexOf('.');
    String protocol = point < 0 ? "" : word.substring(0, point);
    return word.matches("[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)+")
        && (Keywords.form(protocol) != null
            || INSTEAD.containsKey(protocol)
            || protocol.equals("frame"));
  }
}
