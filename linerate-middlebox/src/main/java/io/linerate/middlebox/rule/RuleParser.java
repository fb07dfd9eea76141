package io.linerate.middlebox.rule;

import io.linerate.core.config.NearestWord;
import io.linerate.track.Relation;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.classify.PortRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads one rule: see {@link RulesFile}. */
final class RuleParser {
  private static final String FORMS =
      "a line is: pass|drop|reject CONDITION..., an address, set NAME = VALUE, default"
          + " pass|drop|reject, nonip pass|drop or inner on|off";

  private static final Set<String> ACTIONS = Set.of("pass", "drop", "reject");

  /** Words that a line may begin with. */
  private static final List<String> BEGINNINGS =
      List.of("pass", "drop", "reject", "set", "default", "nonip", "inner");

  /** What other firewalls call {@link #ACTIONS}. */
  private static final Map<String, String> OTHER_ACTIONS =
      Map.of("accept", "pass", "allow", "pass", "permit", "pass", "block", "drop", "deny", "drop");

  private static final List<String> STATES =
      List.of("new", "established", "related", "invalid", "untracked");

  private static final List<String> WORDS =
      List.of(
          "log",
          "in",
          "out",
          "vlan",
          "ethertype",
          "ip",
          "ip6",
          "proto",
          "from",
          "to",
          "port",
          "flags",
          "type",
          "state",
          "name",
          "limit",
          "burst",
          "by");

  private static final String FLAG_LETTERS = "FSRPAUEW";

  private static final Pattern FLAGS = Pattern.compile("([FSRPAUEW]*)/([FSRPAUEW]+)");

  private static final Pattern LIMIT = Pattern.compile("([0-9]{1,10})/([smhd])");

  private static final Map<String, Duration> UNITS =
      Map.of(
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  /** Takes a sentence, and the number of the line that it is about. */
  interface Warnings {
    void warn(int line, String warning);
  }

  private final RuleSets sets;
  private final String text;
  private final int number;
  private final Warnings warnings;
  private final Iterator<String> words;
  private final Set<String> said = new HashSet<>();

  private RuleAction action = RuleAction.DROP;
  private boolean isLogged;
  private Set<String> in = Set.of();
  private Set<String> out = Set.of();
  private final List<PortRange> vlans = new ArrayList<>();
  private final Set<Integer> etherTypes = new LinkedHashSet<>();
  private final Set<Integer> versions = new TreeSet<>(List.of(4, 6));
  private final Set<Integer> protocols = new TreeSet<>();
  private List<IpPrefix> sources = List.of();
  private List<IpPrefix> destinations = List.of();
  private List<PortRange> sourcePorts = List.of();
  private List<PortRange> destinationPorts = List.of();
  private List<String> types = List.of();
  private Optional<RuleConditions.Flags> flags = Optional.empty();
  private final Set<Relation> relations = new TreeSet<>();
  private final Set<String> names = new TreeSet<>();
  private Optional<RuleLimit> limit = Optional.empty();

  /** The side whose ports a following {@code port} names. */
  private String side = "to";

  RuleParser(RuleSets sets, String text, int number, Warnings warnings) {
    this.sets = sets;
    this.text = text;
    this.number = number;
    this.warnings = warnings;
    words = words(text).iterator();
  }

  /** Lists with blanks behind their commas, or in braces, are one word. */
  private static List<String> words(String text) {
    String joined =
        text.replaceAll("\\{\\s*([^{}]*?)\\s*\\}", "$1")
            .replaceAll("\\s*,\\s*", ",")
            .replaceAll("!\\s+", "!");
    return List.of(joined.strip().split("\\s+", -1));
  }

  /**
   * Reads the line.
   *
   * @throws IllegalArgumentException if it is no rule; the message says why
   */
  Rule read() {
    return read(text);
  }

  /** As {@link #read()}, for a rule that is written in another way. */
  Rule read(String asWritten) {
    String first = words.next();
    String word = first.toLowerCase(Locale.ROOT);
    if (ACTIONS.contains(word)) {
      action = RuleAction.valueOf(word.toUpperCase(Locale.ROOT));
    } else if (looksLikeAddress(word)) {
      sources = sets.addresses(first);
    } else {
      throw new IllegalArgumentException(
          "not a rule: line="
              + asWritten
              + "; "
              + Optional.ofNullable(OTHER_ACTIONS.get(word))
                  .or(() -> NearestWord.to(word, BEGINNINGS))
                  .map(near -> "did you mean " + near + "? ")
                  .orElse("")
              + FORMS);
    }
    while (words.hasNext()) {
      condition(words.next());
    }
    return finish(asWritten);
  }

  private static boolean looksLikeAddress(String word) {
    String address = word.startsWith("!") ? word.substring(1) : word;
    return !address.isEmpty()
        && (address.indexOf(':') >= 0
            || address.charAt(0) == '@'
            || (Character.isDigit(address.charAt(0)) && address.indexOf('.') >= 0));
  }

  private void condition(String original) {
    String word = original.toLowerCase(Locale.ROOT);
    switch (word) {
      case "log" -> isLogged = once(word);
      case "in" -> in = names(word);
      case "out" -> out = names(word);
      case "vlan" -> list(word).forEach(value -> vlans.add(vlan(value)));
      case "ethertype" -> list(word).forEach(value -> etherTypes.add(etherType(value)));
      case "ip" -> version(word, 4);
      case "ip6" -> version(word, 6);
      case "proto" -> protocols(next(word));
      case "from" -> {
        sources = sets.addresses(value(word));
        side = word;
      }
      case "to" -> {
        destinations = sets.addresses(value(word));
        side = word;
      }
      case "port" -> ports();
      case "flags" -> flags = Optional.of(flags(value(word).toUpperCase(Locale.ROOT)));
      case "type" -> types = list(word);
      case "state" -> list(word).forEach(value -> relations.add(relation(value)));
      case "name" -> names.addAll(sets.names(value(word)));
      case "limit" -> limit = Optional.of(limit(value(word)));
      case "burst" -> limit = Optional.of(burst(value(word)));
      case "by" -> limit = Optional.of(by(value(word).toLowerCase(Locale.ROOT)));
      default -> bare(original, word);
    }
  }

  /** An address where none is yet is that of the source, and anything else a protocol. */
  private void bare(String original, String word) {
    if (looksLikeAddress(word) || (said.isEmpty() && word.matches("[0-9].*"))) {
      once("from");
      sources = sets.addresses(original);
      side = "from";
      return;
    }
    boolean isProtocol =
        Stream.of(word.split(",", -1))
            .allMatch(part -> IpProtocol.number(part) >= 0 || part.matches("[0-9]+"));
    if (!isProtocol) {
      throw new IllegalArgumentException(
          "not a condition: word=%s; %s"
              .formatted(
                  original,
                  NearestWord.to(word, WORDS)
                      .map(near -> "did you mean " + near + "?")
                      .orElse(
                          "write a protocol, an address, or one of " + String.join(" ", WORDS))));
    }
    protocols(word);
  }

  private boolean once(String word) {
    if (!said.add(word)) {
      throw new IllegalArgumentException("said twice: word=" + word + "; write it once");
    }
    return true;
  }

  /** What stands behind a word. */
  private String value(String word) {
    once(word);
    return next(word);
  }

  private String next(String word) {
    if (!words.hasNext()) {
      throw new IllegalArgumentException("value is missing: behind=" + word + "; write one");
    }
    return words.next();
  }

  private List<String> list(String word) {
    return sets.items(value(word)).stream().map(item -> item.toLowerCase(Locale.ROOT)).toList();
  }

  /** With {@code on} before them, too, as pf has it. */
  private Set<String> names(String word) {
    String value = value(word);
    if (value.equalsIgnoreCase("on")) {
      said.remove(word);
      value = value(word);
    }
    return new LinkedHashSet<>(sets.items(value));
  }

  private static PortRange vlan(String value) {
    return value.equals("none")
        ? PortRange.of(RulePacket.UNTAGGED)
        : RuleSets.range("vlan", value, RulePacket.UNTAGGED - 1);
  }

  private static int etherType(String value) {
    int known = EtherType.number(value);
    if (known < 0 && value.matches("0x[0-9a-f]{1,4}")) {
      known = Integer.parseInt(value.substring(2), 16);
    }
    if (known < 0) {
      throw new IllegalArgumentException(
          "no such ether type: ethertype="
              + value
              + "; write a name such as arp or lldp, or a number such as 0x88cc");
    }
    return known;
  }

  private void version(String word, int version) {
    once(word);
    versions.retainAll(Set.of(version));
  }

  private void protocols(String value) {
    if (!said.add("proto")) {
      throw new IllegalArgumentException(
          "said twice: word=proto; write %s,%s"
              .formatted(
                  protocols.stream().map(IpProtocol::name).collect(Collectors.joining(",")),
                  value));
    }
    for (String item : sets.items(value)) {
      int protocol = IpProtocol.number(item);
      if (protocol < 0 && item.matches("[0-9]{1,3}")) {
        protocol = Integer.parseInt(item);
      }
      if (protocol < 0 || protocol > IpProtocol.MAX) {
        throw new IllegalArgumentException(
            "no such protocol: protocol="
                + item
                + "; write a name such as tcp or icmpv6, or 0 to 255");
      }
      protocols.add(protocol);
    }
  }

  private void ports() {
    List<PortRange> ports = sets.ports(value("port"));
    said.remove("port");
    once(side.equals("from") ? "port of the source" : "port of the destination");
    if (side.equals("from")) {
      sourcePorts = ports;
    } else {
      destinationPorts = ports;
    }
  }

  private static RuleConditions.Flags flags(String value) {
    Matcher matcher = FLAGS.matcher(value);
    int looked = matcher.matches() ? bits(matcher.group(2)) : 0;
    int set = matcher.matches() ? bits(matcher.group(1)) : 1;
    if ((set & ~looked) != 0 || looked == 0) {
      throw new IllegalArgumentException(
          "no flags of TCP: flags="
              + value
              + "; write those that are set, and behind a slash those that are looked at, of "
              + FLAG_LETTERS
              + ": S/SA is SYN without ACK");
    }
    return new RuleConditions.Flags(looked, set);
  }

  private static int bits(String letters) {
    return letters
        .chars()
        .map(letter -> 1 << FLAG_LETTERS.indexOf(letter))
        .reduce(0, (a, b) -> a | b);
  }

  private static Relation relation(String value) {
    return Arrays.stream(Relation.values())
        .filter(relation -> relation.name().equalsIgnoreCase(value))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "no such state: state=%s; %s"
                    .formatted(
                        value,
                        NearestWord.to(value, STATES)
                            .map(near -> "did you mean " + near + "?")
                            .orElse("there are " + String.join(", ", STATES)))));
  }

  private static RuleLimit limit(String value) {
    Matcher matcher = LIMIT.matcher(value.toLowerCase(Locale.ROOT));
    long packets = matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    if (packets == 0) {
      throw new IllegalArgumentException(
          "not a limit: limit=" + value + "; write packets per s, m, h or d, such as 100/s");
    }
    Duration per = UNITS.getOrDefault(matcher.group(2), Duration.ZERO);
    return new RuleLimit(packets, per, packets, RuleLimit.Of.ALL);
  }

  private RuleLimit burst(String value) {
    RuleLimit known = limitBefore("burst", value);
    if (!value.matches("[1-9][0-9]{0,9}")) {
      throw new IllegalArgumentException(
          "not a burst: burst=" + value + "; write how many packets may come at once, 1 or more");
    }
    return new RuleLimit(known.packets(), known.per(), Long.parseLong(value), known.of());
  }

  private RuleLimit by(String value) {
    RuleLimit known = limitBefore("by", value);
    RuleLimit.Of of =
        switch (value) {
          case "source" -> RuleLimit.Of.SOURCE;
          case "destination" -> RuleLimit.Of.DESTINATION;
          default ->
              throw new IllegalArgumentException(
                  "no limit of that kind: by=" + value + "; write by source or by destination");
        };
    return new RuleLimit(known.packets(), known.per(), known.burst(), of);
  }

  private RuleLimit limitBefore(String word, String value) {
    return limit.orElseThrow(() ->
        new IllegalArgumentException(
            "%s without limit: %s=%s; write limit N/s before it".formatted(word, word, value)));
  }

  private Rule finish(String asWritten) {
    if (flags.isPresent()) {
      require("flags", Set.of(IpProtocol.TCP));
    }
    if (!sourcePorts.isEmpty() || !destinationPorts.isEmpty()) {
      require(
          "port",
          Set.of(
              IpProtocol.TCP,
              IpProtocol.UDP,
              IpProtocol.SCTP,
              IpProtocol.DCCP,
              IpProtocol.UDPLITE));
    }
    if (!names.isEmpty()) {
      requireForNames(asWritten);
    }
    if (!types.isEmpty()) {
      sourcePorts = types();
    }
    boolean isOfIp =
        !protocols.isEmpty()
            || !sources.isEmpty()
            || !destinations.isEmpty()
            || versions.size() < 2
            || !relations.isEmpty();
    if (isOfIp && !etherTypes.isEmpty()) {
      throw new IllegalArgumentException(
          "ethertype is about what is not IP: line=" + asWritten + "; leave out what is about IP");
    }
    if (limit.isPresent() && action == RuleAction.DROP) {
      throw new IllegalArgumentException(
          "limit of a rule that drops: line=" + asWritten + "; limits are for pass and reject");
    }
    warnOfVersions(asWritten);
    if (action != RuleAction.PASS) {
      sources = withForms(sources);
      destinations = withForms(destinations);
    }
    return new Rule(
        number,
        asWritten,
        action,
        isLogged,
        limit,
        new RuleConditions(
            in,
            out,
            vlans,
            etherTypes,
            versions,
            protocols,
            sources,
            destinations,
            sourcePorts,
            destinationPorts,
            flags,
            relations,
            names));
  }

  /** What is known of a connection when its name is. */
  private void requireForNames(String asWritten) {
    if (action == RuleAction.PASS) {
      throw new IllegalArgumentException(
          "pass with a name: line="
              + asWritten
              + "; a connection has to begin before its name is known: drop or reject names, and"
              + " pass what may begin");
    }
    require("name", Set.of(IpProtocol.TCP, IpProtocol.UDP));
    if (flags.isPresent() || !relations.isEmpty()) {
      throw new IllegalArgumentException(
          "%s with a name: line=%s; a name is of a connection as a whole: leave out one of both"
              .formatted(flags.isPresent() ? "flags" : "state", asWritten));
    }
  }

  /** Protocols that a condition is about: the first two, or the first, where none are named. */
  private void require(String condition, Set<Integer> allowed) {
    if (protocols.isEmpty()) {
      Stream.of(IpProtocol.TCP, IpProtocol.UDP).filter(allowed::contains).forEach(protocols::add);
    }
    for (int protocol : protocols) {
      if (!allowed.contains(protocol)) {
        throw new IllegalArgumentException(
            "protocol has no %s: protocol=%s; leave out one of both"
                .formatted(condition, IpProtocol.name(protocol)));
      }
    }
  }

  private List<PortRange> types() {
    boolean isV6 = protocols.equals(Set.of(IpProtocol.ICMPV6));
    if (!isV6 && !protocols.equals(Set.of(IpProtocol.ICMP))) {
      throw new IllegalArgumentException(
          "type without its protocol: type=%s; write icmp or icmpv6"
              .formatted(String.join(",", types)));
    }
    return types.stream().map(type -> IcmpTypes.parse(type, isV6)).toList();
  }

  private void warnOfVersions(String asWritten) {
    Set<Integer> possible = new TreeSet<>(versions);
    for (List<IpPrefix> side : List.of(sources, destinations)) {
      if (!side.isEmpty()) {
        possible.retainAll(RuleSets.versions(side));
      }
    }
    if (possible.isEmpty()) {
      throw new IllegalArgumentException(
          "matches nothing: line=" + asWritten + "; its addresses are of different versions of IP");
    }
    if (!possible.contains(4) && protocols.contains(IpProtocol.ICMP)) {
      warnings.warn(number, "IPv6 has no icmp: rule=" + asWritten + "; icmpv6 may be meant");
    }
    if (!possible.contains(6) && protocols.contains(IpProtocol.ICMPV6)) {
      warnings.warn(number, "IPv4 has no icmpv6: rule=" + asWritten + "; icmp may be meant");
    }
  }

  /** A forbidden address of IPv4 is forbidden in what stands for it in IPv6, too. */
  private List<IpPrefix> withForms(List<IpPrefix> some) {
    if (!versions.contains(6)) {
      return some;
    }
    List<IpPrefix> all = new ArrayList<>(some);
    for (IpPrefix prefix : some) {
      if (prefix instanceof Ipv4Prefix ipv4) {
        all.addAll(Prefixes.formsOf(ipv4));
      }
    }
    return all;
  }
}
