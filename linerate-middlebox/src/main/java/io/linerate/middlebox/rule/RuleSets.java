package io.linerate.middlebox.rule;

import io.linerate.core.config.NearestWord;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6Prefix;
import io.linerate.wire.classify.PortRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses, ports and names as rules write them, and the sets that have names. */
final class RuleSets {
  private static final Pattern DEFINITION =
      Pattern.compile("set\\s+([A-Za-z][A-Za-z0-9_-]*)\\s*=\\s*(.+)", Pattern.CASE_INSENSITIVE);

  private static final int MAX_PORT = 65_535;

  private static final Pattern PORTS = Pattern.compile("([0-9]{1,5})(?:[-:]([0-9]{1,5}))?");

  private static final Pattern ADDRESS_AND_PORT =
      Pattern.compile(
          "\\[?([0-9]+\\.[0-9.]+|(?<=\\[)[0-9a-fA-F:.]+)]?:([0-9]{1,5}(?:-[0-9]{1,5})?)");

  private final Map<String, List<String>> named;

  /**
   * @param known sets that there are already
   */
  RuleSets(Map<String, List<String>> known) {
    named = new LinkedHashMap<>(known);
  }

  /** The sets by name. */
  Map<String, List<String>> named() {
    return named;
  }

  /** Reads {@code set NAME = VALUE, ...}; braces around the values are allowed. */
  void define(String text) {
    Matcher matcher = DEFINITION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "not a set: line=" + text + "; write set NAME = VALUE, VALUE, ...");
    }
    String name = matcher.group(1);
    if (named.containsKey(name)) {
      throw new IllegalArgumentException("set is there already: name=" + name + "; rename one");
    }
    String values = matcher.group(2).strip();
    if (values.startsWith("{") && values.endsWith("}")) {
      values = values.substring(1, values.length() - 1);
    }
    List<String> items = items(values);
    // What it has shows when a rule uses it, but for what neither could use.
    for (String item : items) {
      if (!PORTS.matcher(item).matches() && !RulePattern.looksLikeOne(item)) {
        IpPrefix _ = prefix(item);
      }
    }
    named.put(name, items);
  }

  /** Values between commas, those of named sets in their place. */
  List<String> items(String text) {
    List<String> items = new ArrayList<>();
    for (String item : text.split(",", -1)) {
      String stripped = item.strip();
      if (stripped.startsWith("@")) {
        items.addAll(set(stripped.substring(1)));
      } else if (stripped.isEmpty()) {
        throw new IllegalArgumentException(
            "value is missing: text=" + text + "; write one before and after each comma");
      } else {
        items.add(stripped);
      }
    }
    return items;
  }

  private List<String> set(String name) {
    List<String> set = named.get(name);
    if (set == null) {
      throw new IllegalArgumentException(
          "no such set: name=@%s; %s"
              .formatted(
                  name,
                  NearestWord.to(name, named.keySet())
                      .map(near -> "did you mean @" + near + "?")
                      .orElse("define it above: set " + name + " = VALUE, ...")));
    }
    return set;
  }

  /** Addresses, {@code any} or, behind {@code !}, all others. Empty: any. */
  List<IpPrefix> addresses(String text) {
    boolean isNot = text.startsWith("!");
    String values = isNot ? text.substring(1) : text;
    if (values.equalsIgnoreCase("any") && !isNot) {
      return List.of();
    }
    List<IpPrefix> prefixes = new ArrayList<>();
    items(values).forEach(item -> prefixes.add(prefix(item)));
    if (!isNot) {
      return prefixes;
    }
    List<IpPrefix> others = new ArrayList<>();
    for (int version : versions(prefixes)) {
      others.addAll(Prefixes.others(version, prefixes));
    }
    if (others.isEmpty()) {
      throw new IllegalArgumentException(
          "no addresses are left: text=" + text + "; it excludes all of them");
    }
    return others;
  }

  private static IpPrefix prefix(String text) {
    Matcher withPort = ADDRESS_AND_PORT.matcher(text);
    if (withPort.matches()) {
      throw new IllegalArgumentException(
          "not an address: text=%s; write %s port %s"
              .formatted(text, withPort.group(1), withPort.group(2)));
    }
    return IpPrefix.parse(text);
  }

  /** Versions of IP that addresses have. */
  static Set<Integer> versions(List<IpPrefix> prefixes) {
    Set<Integer> versions = new TreeSet<>();
    for (IpPrefix prefix : prefixes) {
      versions.add(
          switch (prefix) {
            case Ipv4Prefix _ -> 4;
            case Ipv6Prefix _ -> 6;
          });
    }
    return versions;
  }

  /** Ports and ranges of them or, behind {@code !}, all others. */
  List<PortRange> ports(String text) {
    boolean isNot = text.startsWith("!");
    List<PortRange> ranges = new ArrayList<>();
    items(isNot ? text.substring(1) : text)
        .forEach(item -> {
          ServicePorts.refuse(item);
          ranges.add(range("port", item, MAX_PORT));
        });
    return isNot ? others(text, ranges) : ranges;
  }

  private static List<PortRange> others(String text, List<PortRange> ranges) {
    List<PortRange> others = new ArrayList<>();
    int start = 0;
    for (PortRange range :
        ranges.stream().sorted(Comparator.comparingInt(PortRange::first)).toList()) {
      if (range.first() > start) {
        others.add(new PortRange(start, range.first() - 1));
      }
      start = Math.max(start, range.last() + 1);
    }
    if (start <= MAX_PORT) {
      others.add(new PortRange(start, MAX_PORT));
    }
    if (others.isEmpty()) {
      throw new IllegalArgumentException(
          "no ports are left: text=" + text + "; it excludes all of them");
    }
    return others;
  }

  /** Names of hosts. */
  List<String> names(String text) {
    return items(text).stream().map(RulePattern::canonical).toList();
  }

  /** A number or a range, {@code 8000-8099}. */
  static PortRange range(String what, String text, int most) {
    Matcher matcher = PORTS.matcher(text);
    if (matcher.matches()) {
      int first = Integer.parseInt(matcher.group(1));
      int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
      if (first <= last && last <= most) {
        return new PortRange(first, last);
      }
    }
    throw new IllegalArgumentException(
        "no such %s: %s=%s; write 0 to %d, or a range such as 1-5"
            .formatted(what, what, text, most));
  }
}
