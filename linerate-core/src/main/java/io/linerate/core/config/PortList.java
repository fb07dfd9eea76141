package io.linerate.core.config;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Ports as configuration lists them: {@code NAME=ADDRESS; NAME=ADDRESS}. */
final class PortList {
  /** An address has a colon before its first equals sign, a name has none. */
  private static final Pattern NAMED =
      Pattern.compile("([A-Za-z0-9][A-Za-z0-9_.-]*)\\s*=\\s*(\\S.*)");

  private static final Pattern ADDRESS = Pattern.compile("[a-z][a-z0-9-]*:.*");

  private PortList() {}

  /**
   * Reads a list. A port without a name is called {@code port0}, {@code port1} and so on, by its
   * place.
   */
  static List<NamedAddress> parse(ConfigEntry entry) {
    List<NamedAddress> ports = new ArrayList<>();
    for (String part : entry.value().split(";", -1)) {
      String text = part.strip();
      if (!text.isEmpty()) {
        ports.add(port(entry, text, ports.size()));
      }
    }
    long names = ports.stream().map(NamedAddress::name).distinct().count();
    if (names < ports.size()) {
      throw entry.error("port name stands twice", "give each port a name of its own");
    }
    return List.copyOf(ports);
  }

  /** The opposite. */
  static String text(List<NamedAddress> ports) {
    return ports.stream()
        .map(port -> port.name() + "=" + port.address())
        .collect(Collectors.joining(";"));
  }

  private static NamedAddress port(ConfigEntry entry, String text, int index) {
    Matcher named = NAMED.matcher(text);
    NamedAddress port =
        named.matches()
            ? new NamedAddress(named.group(1), named.group(2))
            : new NamedAddress("port" + index, text);
    if (!ADDRESS.matcher(port.address()).matches()) {
      throw entry.error(
          "not a port address (" + port.address() + ")",
          "write NAME=SCHEME:REST, such as in=pcap:rx=FILE, with semicolons between ports");
    }
    return port;
  }
}
