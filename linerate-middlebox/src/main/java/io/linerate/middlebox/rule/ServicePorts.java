package io.linerate.middlebox.rule;

import java.util.Locale;
import java.util.Map;

/**
 * Ports that services are known by. Rules have numbers, as packets do: these are for what is said
 * of a name.
 */
final class ServicePorts {
  private static final Map<String, Integer> BY_NAME =
      Map.ofEntries(
          Map.entry("ftp", 21),
          Map.entry("ssh", 22),
          Map.entry("telnet", 23),
          Map.entry("smtp", 25),
          Map.entry("domain", 53),
          Map.entry("dns", 53),
          Map.entry("tftp", 69),
          Map.entry("http", 80),
          Map.entry("pop3", 110),
          Map.entry("ntp", 123),
          Map.entry("imap", 143),
          Map.entry("snmp", 161),
          Map.entry("bgp", 179),
          Map.entry("ldap", 389),
          Map.entry("https", 443),
          Map.entry("syslog", 514),
          Map.entry("submission", 587),
          Map.entry("imaps", 993),
          Map.entry("pop3s", 995),
          Map.entry("mdns", 5_353));

  private ServicePorts() {}

  /**
   * Sees that a port is not written as a service.
   *
   * @throws IllegalArgumentException if it is; the message says its number
   */
  static void refuse(String text) {
    Integer number = BY_NAME.get(text.toLowerCase(Locale.ROOT));
    if (number != null) {
      throw new IllegalArgumentException(
          "not a number: port=" + text + "; write " + number + ", services have no names here");
    }
  }
}
