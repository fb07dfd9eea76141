package io.linerate.bench.firewall;

import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.classify.FlowRule;
import io.linerate.wire.classify.PortRange;
import io.linerate.wire.classify.SourceRule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.SequencedSet;

/**
 * Rules about five fields, of the kinds that Taylor and Turner found in use: how long prefixes are,
 * how many protocols, ports and networks there are, and what goes with what. "ClassBench: A Packet
 * Classification Benchmark", INFOCOM 2005.
 */
record FlowRules(
    String name,
    int rulesOfSource,
    int rulesOfDestination,
    List<Integer> sourceBits,
    List<Integer> destinationBits,
    List<Integer> protocols,
    Ports sources,
    Ports destinations) {
  /** Access lists of routers: whole addresses mostly, a port of the destination or a few. */
  static final FlowRules ACL =
      new FlowRules(
          "acl",
          400,
          8,
          choice(70, 32, 6, 31, 5, 30, 6, 28, 12, 23, 1, 0),
          choice(80, 32, 5, 31, 5, 30, 6, 24, 3, 16, 1, 0),
          choice(87, IpProtocol.TCP, 8, -1, 3, IpProtocol.ICMP, 2, IpProtocol.UDP),
          new Ports(100, 0, 0, 0, 1),
          new Ports(22, 0, 65, 39, 20));

  /** Rules of firewalls: often any source or any destination, and ports of both sides. */
  static final FlowRules FW =
      new FlowRules(
          "fw",
          20,
          20,
          choice(42, 0, 33, 32, 12, 24, 6, 16, 4, 28, 3, 8),
          choice(44, 32, 30, 0, 13, 24, 6, 28, 5, 16, 2, 8),
          choice(
              68, IpProtocol.TCP, 24, IpProtocol.UDP, 4, -1, 3, IpProtocol.ICMP, 1, IpProtocol.GRE),
          new Ports(65, 25, 7, 10, 1),
          new Ports(12, 15, 63, 36, 5));

  /** Chains of Linux's packet filter: something of both. */
  static final FlowRules IPC =
      new FlowRules(
          "ipc",
          15,
          15,
          choice(52, 32, 15, 24, 12, 28, 10, 0, 6, 20, 4, 16, 1, 8),
          choice(54, 32, 15, 24, 12, 28, 8, 0, 6, 20, 4, 16, 1, 8),
          choice(
              48,
              IpProtocol.TCP,
              30,
              IpProtocol.UDP,
              14,
              -1,
              6,
              IpProtocol.ICMP,
              2,
              IpProtocol.ESP),
          new Ports(66, 6, 25, 26, 6),
          new Ports(30, 10, 52, 39, 12));

  static final List<FlowRules> ALL = List.of(ACL, FW, IPC);

  private static final int[] SINGLE = {
    80, 443, 53, 25, 22, 21, 1521, 1433, 135, 139, 445, 110, 143, 389, 636, 123, 161, 514, 69, 119,
    3389, 8080, 5555, 1705, 1707, 1711, 1717, 1724, 1733, 1526, 1525, 1221, 5540, 5631, 6000, 14753,
    27000, 30210, 65500
  };

  /** Pairs of the first and the last. */
  private static final int[] RANGES = {
    6000, 6063, 1300, 1349, 1300, 1399, 1600, 1649, 5000, 65535, 137, 139, 2200, 2210, 7500, 7599,
    8000, 8100, 20000, 20010, 33434, 33600, 32200, 32207, 61100, 61119, 61500, 61509, 61600, 61609,
    61700, 61709, 62200, 62239, 1700, 1720, 1700, 1750, 62100, 62109
  };

  private static final PortRange HIGH = new PortRange(1_024, 65_535);

  /** Addresses of a network in which rules name hosts. */
  private static final int NETWORK = 0xFF;

  /** One of them. */
  static FlowRules named(String name) {
    return ALL.stream().filter(each -> each.name.equals(name)).findFirst().orElseThrow();
  }

  /** A hundred values, of which each is there as often as the number before it says. */
  private static List<Integer> choice(int... percentsAndValues) {
    List<Integer> values = new ArrayList<>();
    for (int i = 0; i < percentsAndValues.length; i += 2) {
      values.addAll(Collections.nCopies(percentsAndValues[i], percentsAndValues[i + 1]));
    }
    return values;
  }

  /**
   * Ports of rules for TCP and UDP, in percent; the rest are ranges.
   *
   * @param singles how many different ones there are
   * @param ranges likewise
   */
  private record Ports(int any, int high, int single, int singles, int ranges) {
    PortRange next(Random random) {
      int percent = random.nextInt(100);
      if (percent < any) {
        return PortRange.ANY;
      }
      if (percent < any + high) {
        return HIGH;
      }
      if (percent < any + high + single) {
        return PortRange.of(SINGLE[few(singles, random)]);
      }
      int at = 2 * random.nextInt(ranges);
      return new PortRange(RANGES[at], RANGES[at + 1]);
    }
  }

  /** Number n as often as 1 / n. */
  private static int few(int count, Random random) {
    return (int) Math.pow(count + 1, random.nextDouble()) - 1;
  }

  /** Rules, the most specific first. */
  List<FlowRule> rules(int count) {
    Random random = new Random(count);
    int[] from = networks(count / rulesOfSource, random);
    int[] to = networks(count / rulesOfDestination, random);
    SequencedSet<FlowRule> rules = new LinkedHashSet<>();
    while (rules.size() < count) {
      int protocol = any(protocols, random);
      boolean hasPorts = protocol == IpProtocol.TCP || protocol == IpProtocol.UDP;
      Ipv4Prefix source = prefix(from, any(sourceBits, random), random);
      Ipv4Prefix destination = prefix(to, any(destinationBits, random), random);
      if (source.bits() + destination.bits() > 0) {
        rules.add(
            new FlowRule(
                source,
                destination,
                hasPorts ? sources.next(random) : PortRange.ANY,
                hasPorts ? destinations.next(random) : PortRange.ANY,
                protocol,
                0));
      }
    }
    List<FlowRule> ordered = new ArrayList<>();
    rules.stream()
        .sorted(Comparator.comparingInt(rule -> -rule.source().bits() - rule.destination().bits()))
        .forEach(rule ->
            ordered.add(
                new FlowRule(
                    rule.source(),
                    rule.destination(),
                    rule.sourcePorts(),
                    rule.destinationPorts(),
                    rule.protocol(),
                    ordered.size())));
    return ordered;
  }

  private static int any(List<Integer> values, Random random) {
    return values.get(random.nextInt(values.size()));
  }

  /** Two in three lie near another. */
  private static int[] networks(int count, Random random) {
    int[] networks = new int[Math.max(8, count)];
    for (int i = 0; i < networks.length; i++) {
      boolean isNear = i > 0 && random.nextInt(3) > 0;
      int near =
          isNear ? networks[random.nextInt(i)] & 0xFFFF_0000 : random.nextInt() & 0xFFFF_0000;
      networks[i] = near | random.nextInt(256) << 8;
    }
    return networks;
  }

  private static Ipv4Prefix prefix(int[] networks, int bits, Random random) {
    int address = networks[few(networks.length, random)] | random.nextInt(NETWORK + 1);
    return Ipv4Prefix.of(address, bits);
  }

  /** A rule as ClassBench writes it. */
  static String line(FlowRule rule) {
    return "@%s\t%s\t%d : %d\t%d : %d\t%s"
        .formatted(
            rule.source(),
            rule.destination(),
            rule.sourcePorts().first(),
            rule.sourcePorts().last(),
            rule.destinationPorts().first(),
            rule.destinationPorts().last(),
            rule.protocol() == SourceRule.ANY_PROTOCOL
                ? "0x00/0x00"
                : "0x%02x/0xff".formatted(rule.protocol()));
  }
}
