package io.linerate.middlebox.rule;

import io.linerate.track.Relation;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6Prefix;
import io.linerate.wire.classify.PortRange;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a rule says of packets. One matches when it has one of the values in each list; an empty
 * list is about all.
 *
 * @param in names of ports that they come by
 * @param out names of ports that they leave by
 * @param vlans identifiers of the outermost VLAN tag, {@link RulePacket#UNTAGGED} among them
 * @param etherTypes a rule that has some is about what is not IP only, all others about IP
 * @param versions of IP: {@code 4}, {@code 6}, or both
 * @param protocols behind extension headers, 0 to 255
 * @param sources addresses of either version
 * @param destinations likewise
 * @param sourcePorts of TCP, UDP and their like; types and codes of ICMP, in 16 bits
 * @param destinationPorts likewise; all for ICMP
 * @param flags of TCP
 * @param relations what packets are to the connections that are known
 * @param names of hosts, in lower case and without a dot at the end; with a leading {@code *.} all
 *     below it. A rule that has some is about connections, and matches when the name is known that
 *     one asks for
 */
public record RuleConditions(
    Set<String> in,
    Set<String> out,
    List<PortRange> vlans,
    Set<Integer> etherTypes,
    Set<Integer> versions,
    Set<Integer> protocols,
    List<IpPrefix> sources,
    List<IpPrefix> destinations,
    List<PortRange> sourcePorts,
    List<PortRange> destinationPorts,
    Optional<Flags> flags,
    Set<Relation> relations,
    Set<String> names) {
  /**
   * Flags of TCP.
   *
   * @param looked which are looked at
   * @param set which of these have to be set; the others must not
   */
  public record Flags(int looked, int set) {
    boolean match(int flags) {
      return (flags & looked) == set;
    }
  }

  /** Copies what it is given. */
  public RuleConditions {
    in = Set.copyOf(in);
    out = Set.copyOf(out);
    vlans = List.copyOf(vlans);
    etherTypes = Set.copyOf(etherTypes);
    versions = Set.copyOf(versions);
    protocols = Set.copyOf(protocols);
    sources = List.copyOf(sources);
    destinations = List.copyOf(destinations);
    sourcePorts = List.copyOf(sourcePorts);
    destinationPorts = List.copyOf(destinationPorts);
    relations = Set.copyOf(relations);
    names = Set.copyOf(names);
  }

  /** About all packets of IP. */
  static RuleConditions ofIp() {
    return new RuleConditions(
        Set.of(),
        Set.of(),
        List.of(),
        Set.of(),
        Set.of(4, 6),
        Set.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        Set.of(),
        Set.of());
  }

  /** What the line of a rule says itself, without {@link Prefixes#formsOf} what it says. */
  RuleConditions withoutForms() {
    return new RuleConditions(
        in,
        out,
        vlans,
        etherTypes,
        versions,
        protocols,
        Prefixes.withoutForms(sources),
        Prefixes.withoutForms(destinations),
        sourcePorts,
        destinationPorts,
        flags,
        relations,
        names);
  }

  /** Whether it asks for names: it is tried only when all else passes a packet. */
  public boolean isByName() {
    return !names.isEmpty();
  }

  /** Whether it is about a name, in lower case and without a dot at the end. */
  public boolean isAbout(String name) {
    return RulePattern.broader(name).anyMatch(names::contains);
  }

  /** Whether it is about packets that come by one port and leave by another. */
  public boolean isBetween(String from, String to) {
    return isIn(in, from) && isIn(out, to);
  }

  /** Whether it is about a packet, but for names: what a rule means, in one place. */
  public boolean matches(RulePacket packet) {
    if (!isBetween(packet.in(), packet.out()) || !isInRanges(vlans, packet.vlan())) {
      return false;
    }
    if (packet.version() == 0 || !etherTypes.isEmpty()) {
      return packet.version() == 0 && etherTypes.contains(packet.etherType());
    }
    IpPrefix source = address(packet.version(), packet.sourceHigh(), packet.sourceLow());
    IpPrefix target = address(packet.version(), packet.destinationHigh(), packet.destinationLow());
    return versions.contains(packet.version())
        && isIn(protocols, packet.protocol())
        && isInPrefixes(sources, source)
        && isInPrefixes(destinations, target)
        && isInRanges(sourcePorts, packet.ports() >>> Character.SIZE)
        && isInRanges(destinationPorts, packet.ports() & Character.MAX_VALUE)
        && flags.stream()
            .allMatch(some -> packet.protocol() == IpProtocol.TCP && some.match(packet.flags()))
        && isIn(relations, packet.relation());
  }

  private static IpPrefix address(int version, long high, long low) {
    return version == 4
        ? new Ipv4Prefix((int) low, Integer.SIZE)
        : new Ipv6Prefix(high, low, 2 * Long.SIZE);
  }

  private static <T> boolean isIn(Set<T> some, T value) {
    return some.isEmpty() || some.contains(value);
  }

  private static boolean isInPrefixes(List<IpPrefix> some, IpPrefix address) {
    return some.isEmpty() || some.stream().anyMatch(prefix -> prefix.contains(address));
  }

  static boolean isInRanges(List<PortRange> some, int value) {
    return some.isEmpty()
        || some.stream().anyMatch(range -> range.first() <= value && value <= range.last());
  }
}
