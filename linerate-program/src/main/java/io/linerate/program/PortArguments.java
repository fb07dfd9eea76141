package io.linerate.program;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.NamedAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ports of a program, and the addresses that its user gives them: one after the other, or
 * {@code NAME=ADDRESS} in any order.
 *
 * @param names of those that it needs
 * @param more how further ports are called, which get a number behind: {@code out0}, {@code out1};
 *     "": there may be none
 */
record PortArguments(List<String> names, String more) {
  static final PortArguments NONE = new PortArguments(List.of(), "");

  /** An address has a colon before its first equals sign, a name has none. */
  private static final Pattern NAMED = Pattern.compile("([A-Za-z0-9][A-Za-z0-9_.-]*)=(.*)");

  PortArguments {
    names = List.copyOf(names);
  }

  /** All names, for people. */
  String listed() {
    String needed = String.join(", ", names);
    return more.isEmpty() ? needed : needed + (names.isEmpty() ? "" : ", ") + more + "0, ...";
  }

  /** As usage has it. */
  String usage() {
    StringBuilder usage = new StringBuilder();
    names.forEach(name -> usage.append(' ').append(label(name)));
    if (!more.isEmpty()) {
      usage.append(" [").append(label(more)).append("]...");
    }
    return usage.toString();
  }

  private static String label(String name) {
    return name.toUpperCase(Locale.ROOT);
  }

  /**
   * Which port has which address, in the order of the names.
   *
   * @param given on the command line
   * @param configured in a file, or by {@code --set}; the command line comes before them
   */
  Map<String, String> addresses(List<String> given, List<NamedAddress> configured) {
    Map<String, String> known = new LinkedHashMap<>();
    configured.forEach(port -> known.put(port.name(), port.address()));
    int place = 0;
    for (String argument : given) {
      Matcher named = NAMED.matcher(argument);
      if (named.matches()) {
        known.put(named.group(1), named.group(2));
      } else {
        known.put(name(place++, argument), argument);
      }
    }
    Map<String, String> ordered = new LinkedHashMap<>();
    for (String name : names) {
      String address = known.remove(name);
      if (address == null) {
        throw new ConfigException(
            "port has no address: name=%s; write %s, such as pcap:rx=FILE, or %s=ADDRESS"
                .formatted(name, label(name), name));
      }
      ordered.put(name, address);
    }
    known.forEach((name, address) -> {
      if (more.isEmpty()) {
        throw new ConfigException(
            "program has no such port: name=%s, address=%s; there are %s"
                .formatted(name, address, names));
      }
      ordered.put(name, address);
    });
    return ordered;
  }

  private String name(int place, String address) {
    if (place < names.size()) {
      return names.get(place);
    }
    if (more.isEmpty()) {
      throw new ConfigException(
          "too many arguments: argument=%s; this program has the ports %s"
              .formatted(address, names));
    }
    return more + (place - names.size());
  }
}
