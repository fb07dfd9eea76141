package io.linerate.middlebox.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.track.Relation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Rules that overlap, and packets that meet them. */
final class RandomRules {
  /** Few values of each kind, so that rules overlap and packets meet them. */
  private static final List<String> ADDRESSES =
      List.of(
          "10.0.0.0/8",
          "10.1.0.0/16",
          "10.1.2.3",
          "192.0.2.0/25",
          "!10.1.2.0/24",
          "2001:db8::/32",
          "2001:db8:0:1::/64",
          "2001:db8::1",
          "!2001:db8::/48",
          "10.1.2.3,2001:db8::1",
          "@some",
          "!@some",
          "any",
          "0.0.0.0/0",
          "::/0");

  private static final List<String> PORTS =
      List.of("22", "80,443", "1024-65535", "@ports", "!22", "0", "!@ports,22");

  private static final List<String> PROTOCOLS =
      List.of("tcp", "udp", "tcp,udp", "icmp", "icmpv6", "47", "proto esp", "sctp");

  private static final List<String> FLAGS = List.of("S/SA", "S/FSRA", "/F", "R/R", "FPU/FSRPAU");
  private static final List<String> VLANS = List.of("none", "5", "5,6", "100-200", "none,7");
  private static final List<String> STATES =
      List.of("new", "established,related", "invalid", "new,untracked", "established");

  private static final List<String> NAMES =
      List.of(
          "a.example", "b.a.example", "*.example", "*.a.example", "c.test,*.a.example", "*.test");

  /** What packets may ask for. */
  static final List<String> ASKED =
      List.of(
          "example", "a.example", "b.a.example", "c.b.a.example", "c.test", "xa.example", "test");

  private static final List<Relation> RELATIONS = List.of(Relation.values());

  private static final int[] IPV4 = {
    0x0A010203, 0x0A010204, 0x0A020304, 0xC0000201, 0xC0000281, 0x08080808
  };
  private static final long[] IPV6_HIGH = {
    0x2001_0DB8_0000_0000L,
    0x2001_0DB8_0000_0001L,
    0x2001_0DB9_0000_0000L,
    0x2002_0A01_0203_0000L,
    0x0064_FF9B_0000_0000L,
    0
  };
  private static final long[] IPV6_LOW = {1, 2, 0x0A010203L, 0xFFFF_0A01_0203L};
  private static final int[] PORT_VALUES = {
    0, 21, 22, 80, 443, 1_023, 1_024, 65_535, 0x0800, 0x8000
  };
  private static final int[] PROTOCOL_VALUES = {6, 6, 17, 17, 1, 58, 47, 50, 132, 255};
  private static final int[] ETHER_TYPES = {0x0806, 0x88CC, 0x0600};

  private final Random random;

  RandomRules(Random random) {
    this.random = random;
  }

  private String any(List<String> some) {
    return some.get(random.nextInt(some.size()));
  }

  private boolean in(int parts) {
    return random.nextInt(parts) == 0;
  }

  /** A line that is a rule, mostly: some contradict themselves. */
  private String line() {
    StringBuilder line = new StringBuilder(any(List.of("pass", "drop", "reject")));
    if (in(12)) {
      return line
          + " ethertype "
          + any(List.of("arp", "lldp", "arp,0x600"))
          + (in(2) ? " vlan 5" : "");
    }
    line.append(in(4) ? " in left" : "").append(in(4) ? " out left" : "");
    line.append(in(5) ? " vlan " + any(VLANS) : "");
    line.append(in(8) ? " ip" + any(List.of("", "6")) : "");
    line.append(in(2) ? " from " + any(ADDRESSES) + (in(4) ? " port " + any(PORTS) : "") : "");
    line.append(in(2) ? " to " + any(ADDRESSES) + (in(2) ? " port " + any(PORTS) : "") : "");
    line.append(in(2) ? " " + any(PROTOCOLS) : "");
    line.append(in(12) ? " icmp type " + any(List.of("echo-request", "0,8", "3-5")) : "");
    line.append(in(6) ? " flags " + any(FLAGS) : "");
    line.append(in(4) ? " state " + any(STATES) : "");
    line.append(in(5) ? " name " + any(NAMES) : "");
    return line.toString();
  }

  /** Some rules, and what becomes of all else. */
  RuleSet rules(int count) {
    List<String> lines =
        new ArrayList<>(
            List.of("set some = 10.1.2.0/28, 2001:db8:0:1::/64", "set ports = 21-23, 443"));
    while (lines.size() < count + 2) {
      String line = line();
      lines.add(line);
      try {
        RulesFile.parse("rules", String.join("\n", lines), _ -> {});
      } catch (RuntimeException e) {
        assertThat(e.getMessage()).startsWith("rules:" + lines.size() + ": ");
        lines.removeLast();
      }
    }
    lines.add("default " + any(List.of("pass", "drop", "reject")));
    return RulesFile.parse("rules", String.join("\n", lines), _ -> {});
  }

  /** A packet between two ports. */
  RulePacket packet(String in, String out) {
    int version = in(10) ? 0 : in(2) ? 4 : 6;
    int protocol = PROTOCOL_VALUES[random.nextInt(PROTOCOL_VALUES.length)];
    int vlan = in(2) ? RulePacket.UNTAGGED : in(2) ? 5 : random.nextInt(202);
    Relation relation = RELATIONS.get(random.nextInt(RELATIONS.size()));
    if (version == 0) {
      int etherType = ETHER_TYPES[random.nextInt(ETHER_TYPES.length)];
      return new RulePacket(in, out, vlan, etherType, 0, 0, 0, 0, 0, 0, 0, 0, relation);
    }
    return new RulePacket(
        in,
        out,
        vlan,
        version == 4 ? 0x0800 : 0x86DD,
        version,
        version == 4 ? 0 : high(),
        version == 4 ? ipv4() : low(),
        version == 4 ? 0 : high(),
        version == 4 ? ipv4() : low(),
        protocol,
        port() << 16 | port(),
        protocol == 6 ? random.nextInt(256) : 0,
        relation);
  }

  private long ipv4() {
    return Integer.toUnsignedLong(IPV4[random.nextInt(IPV4.length)]);
  }

  private long high() {
    return IPV6_HIGH[random.nextInt(IPV6_HIGH.length)];
  }

  private long low() {
    return IPV6_LOW[random.nextInt(IPV6_LOW.length)];
  }

  private int port() {
    return PORT_VALUES[random.nextInt(PORT_VALUES.length)];
  }
}
