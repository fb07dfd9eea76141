package io.linerate.middlebox.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.track.Relation;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What rules mean, and what is said of those that mean nothing. */
class RulesFileTest {
  private final List<String> warnings = new ArrayList<>();

  private RuleSet rules(String text) {
    return RulesFile.parse("f", text, warnings::add);
  }

  /** A packet of TCP, of the version that its addresses have. */
  private static RulePacket tcp(String source, String destination, int from, int to, int flags) {
    return packet(source, destination, 6, from << 16 | to, flags);
  }

  private static RulePacket packet(
      String source, String destination, int protocol, int ports, int flags) {
    if (source.contains(":")) {
      Ipv6Address one = Ipv6Address.parse(source);
      Ipv6Address other = Ipv6Address.parse(destination);
      return new RulePacket(
          "lan",
          "wan",
          7,
          0x86DD,
          6,
          one.high(),
          one.low(),
          other.high(),
          other.low(),
          protocol,
          ports,
          flags,
          Relation.NEW);
    }
    return new RulePacket(
        "lan",
        "wan",
        7,
        0x0800,
        4,
        0,
        unsigned(source),
        0,
        unsigned(destination),
        protocol,
        ports,
        flags,
        Relation.NEW);
  }

  private static long unsigned(String address) {
    return Integer.toUnsignedLong(Ipv4Address.parse(address));
  }

  private boolean isPassed(String text, RulePacket packet) {
    RuleSet rules = rules(text);
    return rules.action(rules.decide(packet)) == RuleAction.PASS;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "drop 10.0.0.0/8|true",
        "10.0.0.1|true",
        "drop 10.0.0.0/8 tcp|true",
        "drop 10.0.0.0/8 udp|false",
        "drop from 10.0.0.0/8 to 192.0.2.0/24|true",
        "drop from any to 192.0.2.1 port 80|true",
        "drop tcp port 80|true",
        "drop udp port 80|false",
        "drop port 80|true",
        "drop port 81, 80|true",
        "drop port { 79, 80 }|true",
        "drop port 8-79,81-90|false",
        "drop port !80|false",
        "drop from 10.0.0.1 port 4000|true",
        "drop from !10.0.0.0/8|false",
        "drop from !10.0.0.2|true",
        "drop to ! 10.0.0.0/8|true",
        "drop in lan|true",
        "drop in on lan out on wan|true",
        "drop in wan|false",
        "drop out lan,dmz|false",
        "drop vlan 7|true",
        "drop vlan none|false",
        "drop vlan 1-6,8|false",
        "drop ip|true",
        "drop ip6|false",
        "drop flags S/SA|true",
        "drop flags SA/SA|false",
        "drop state new|true",
        "drop state established,related|false",
        "DROP FROM 10.0.0.1 TCP|true",
        "drop proto tcp,udp|true",
        "drop ethertype arp|false",
        "nonip drop arp|false",
        "reject log tcp|true",
        "pass tcp limit 10/s burst 5|false",
        "pass tcp flags S/SA limit 10/s by source burst 5|false",
        "set net = 192.168.0.0/16, 10.0.0.0/8;drop @net|true",
        "set web = 80, 443;drop to 192.0.2.1 port @web|true",
        "set a = 10.0.0.1;set b = @a, 10.0.0.2;drop from @b|true",
        "default drop|true",
      })
  void shouldDropWhatALineSays(String text, boolean isDropped) {
    RulePacket packet = tcp("10.0.0.1", "192.0.2.1", 4_000, 80, 0x02);
    assertThat(isPassed(text.replace(';', '\n'), packet)).isEqualTo(!isDropped);
    assertThat(warnings).isEmpty();
  }

  @Test
  void shouldLetTheFirstRuleDecide() {
    RuleSet rules = rules("# comment\n\npass 10.0.0.1 # one\ndrop 10.0.0.0/8\nnonip pass");
    assertThat(rules.rules()).extracting(Rule::line).containsExactly(3, 4);
    assertThat(rules.rules().getFirst().text()).isEqualTo("pass 10.0.0.1");
    assertThat(rules.decide(tcp("10.0.0.1", "10.0.0.2", 1, 2, 0))).isZero();
    assertThat(rules.decide(tcp("10.0.0.3", "10.0.0.2", 1, 2, 0))).isEqualTo(1);
    assertThat(rules.decide(tcp("11.0.0.3", "10.0.0.2", 1, 2, 0))).isEqualTo(2);
    assertThat(rules.action(rules.nonIpIndex())).isEqualTo(RuleAction.PASS);
  }

  @Test
  void shouldKnowTypesOfIcmp() {
    RulePacket echo = packet("10.0.0.1", "10.0.0.2", 1, 0x0800_0000, 0);
    RulePacket echo6 = packet("2001:db8::1", "2001:db8::2", 58, 0x8000_0000, 0);
    assertThat(isPassed("drop icmp type echo-request", echo)).isFalse();
    assertThat(isPassed("drop icmp type 3-8", echo)).isFalse();
    assertThat(isPassed("drop icmp type echo-reply,redirect", echo)).isTrue();
    assertThat(isPassed("drop icmpv6 type echo-request", echo6)).isFalse();
    assertThat(isPassed("drop icmpv6 type router-advertisement", echo6)).isTrue();
  }

  /** What stands for a forbidden address is forbidden, and nothing is allowed that way. */
  @ParameterizedTest
  @CsvSource({"::ffff:10.1.2.3", "2002:a01:203::9", "64:ff9b::10.1.2.3"})
  void shouldKnowAForbiddenAddressInItsFormsOfIpv6(String form) {
    String other = "2001:db8::1";
    for (String text : List.of("drop 10.1.0.0/16", "reject from 10.1.2.3", "drop 10.1.2.3 tcp")) {
      assertThat(isPassed(text, tcp(form, other, 1, 2, 0))).as(text).isFalse();
      assertThat(isPassed(text, tcp(other, form, 1, 2, 0))).as(text).isTrue();
    }
    assertThat(isPassed("drop to 10.1.2.3", tcp(other, form, 1, 2, 0))).isFalse();
    assertThat(isPassed("drop ip from 10.1.2.3", tcp(form, other, 1, 2, 0))).isTrue();
    assertThat(isPassed("drop 0.0.0.0/0", tcp(form, other, 1, 2, 0))).isTrue();
    assertThat(isPassed("pass 10.1.2.3\ndefault drop", tcp(form, other, 1, 2, 0))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "deny 10.0.0.1|not a rule: line=deny 10.0.0.1; did you mean drop? a line is: pass|",
        "block 10.0.0.1|did you mean drop?",
        "ACCEPT tcp|did you mean pass?",
        "allow tcp|did you mean pass?",
        "permit tcp|did you mean pass?",
        "defalt drop|did you mean default?",
        "forbid tcp|not a rule: line=forbid tcp; a line is: pass|",
        "dropp 10.0.0.1|did you mean drop?",
        "drop fromm 10.0.0.1|not a condition: word=fromm; did you mean from?",
        "drop xyzzy|not a condition: word=xyzzy; write a protocol, an address, or one of log in out",
        "drop 10.0.0.256|not an IPv4 address: text=10.0.0.256",
        "drop from 10.0.0.0/33|not a prefix length: text=10.0.0.0/33; 0 to 32 is allowed",
        "drop from|value is missing: behind=from; write one",
        "drop from 10.0.0.1 from 10.0.0.2|said twice: word=from; write it once",
        "drop 10.0.0.1 from 10.0.0.2|said twice: word=from",
        "drop tcp udp|said twice: word=proto; write tcp,udp",
        "drop proto udp,icmp proto 47|said twice: word=proto; write icmp,udp,47",
        "drop proto|value is missing: behind=proto; write one",
        "drop port 80 port 81|said twice: word=port of the destination",
        "drop port 70000|no such port: port=70000; write 0 to 65535, or a range",
        "drop port http|not a number: port=http; write 80, services have no names here",
        "drop port 22,HTTPS|not a number: port=HTTPS; write 443",
        "drop port httpx|no such port: port=httpx; write 0 to 65535, or a range",
        "drop from 10.0.0.1:80|not an address: text=10.0.0.1:80; write 10.0.0.1 port 80",
        "drop 10.0.0.1:80|not an address: text=10.0.0.1:80; write 10.0.0.1 port 80",
        "drop to [2001:db8::1]:80-90|not an address: text=[2001:db8::1]:80-90; write 2001:db8::1 port 80-90",
        "drop to 2001:db8:::1|not an IPv6 address: text=2001:db8:::1",
        "set a = 10.0.0.1:80|not an address: text=10.0.0.1:80",
        "drop port 9-8|no such port: port=9-8",
        "drop port 80,|value is missing: text=80,; write one before and after each comma",
        "drop port !0-65535|no ports are left: text=!0-65535",
        "drop from !0.0.0.0/0|no addresses are left: text=!0.0.0.0/0",
        "drop icmp port 80|protocol has no port: protocol=icmp",
        "drop udp flags S/SA|protocol has no flags: protocol=udp",
        "drop flags SYN|no flags of TCP: flags=SYN; write those that are set",
        "drop flags S/A|no flags of TCP: flags=S/A",
        "drop proto 300|no such protocol: protocol=300",
        "drop type echo-request|type without its protocol: type=echo-request; write icmp or icmpv6",
        "drop icmp type ping|no such type: type=ping; write 0 to 255, or one of echo-reply echo-request",
        "drop icmp type echo-reqest|no such type: type=echo-reqest; did you mean echo-request?",
        "drop icmpv6 type router-solicitaton|did you mean router-solicitation?",
        "drop icmp type 256|no such type: type=256; write 0 to 255",
        "drop state establised|no such state: state=establised; did you mean established?",
        "drop state open|no such state: state=open; there are new, established",
        "drop vlan 4096|no such vlan: vlan=4096; write 0 to 4095",
        "drop ethertype foo|no such ether type: ethertype=foo; write a name such as arp",
        "drop ethertype arp tcp|ethertype is about what is not IP",
        "pass limit 10|not a limit: limit=10; write packets per s, m, h or d, such as 100/s",
        "pass limit 0/s|not a limit: limit=0/s",
        "pass burst 10|burst without limit: burst=10",
        "pass by source|by without limit: by=source",
        "pass limit 1/s by port|no limit of that kind: by=port; write by source or by destination",
        "pass limit 1/s burst 0|not a burst: burst=0",
        "drop limit 1/s|limit of a rule that drops",
        "pass name example.org|pass with a name: line=pass name example.org; a connection has to begin",
        "drop icmp name example.org|protocol has no name: protocol=icmp",
        "drop name example.org flags S/S|flags with a name: line=drop name example.org flags S/S",
        "drop name example.org state new|state with a name",
        "drop ethertype arp name example.org|ethertype is about what is not IP",
        "drop name|value is missing: behind=name",
        "drop name a..b|not a name of a host: name=a..b; write one such as www.example.org",
        "drop name *|not a name of a host: name=*",
        "drop name a.*.b|not a name of a host: name=a.*.b",
        "drop name !a.b|not a name of a host: name=!a.b",
        "drop from 10.0.0.1 to 2001:db8::1|matches nothing: line=drop from 10.0.0.1 to 2001:db8::1",
        "drop ip from 2001:db8::1|matches nothing",
        "drop ip ip6|matches nothing",
        "drop from @lan|no such set: name=@lan; define it above: set lan = VALUE",
        "set lan 10.0.0.0/8|not a set: line=set lan 10.0.0.0/8; write set NAME = VALUE",
        "set lan = 10.0.0|not an IPv4 address: text=10.0.0",
        "default maybe|not a rule: line=default maybe; write default pass, default drop or default reject",
        "inner|not a rule: line=inner; write inner on or inner off",
        "inner maybe|not a rule: line=inner maybe",
        "nonip reject|not a rule: line=nonip reject; write nonip pass or nonip drop",
        "nonip pass ipv5|no such ether type: ethertype=ipv5",
      })
  void shouldSayWhatIsWrongWithALine(String line, String message) {
    assertThatThrownBy(() -> rules("# first\n" + line))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("f:2: ")
        .hasMessageContaining(message);
  }

  @Test
  void shouldReadNamesAsTheyAreCompared() {
    RuleSet rules =
        rules(
            """
            set bad = Ads.Example, *.tracker.example.
            drop name @bad,b\u00fccher.example
            reject udp to 192.0.2.1 name { WWW.Example.Org. } log
            """);
    assertThat(rules.rules().getFirst().when().names())
        .containsExactlyInAnyOrder("ads.example", "*.tracker.example", "xn--bcher-kva.example");
    assertThat(rules.rules().getFirst().when().protocols()).containsExactlyInAnyOrder(6, 17);
    assertThat(rules.rules().getLast().when().names()).containsExactly("www.example.org");
    assertThat(rules.hasNames()).isTrue();
    RulePacket packet = tcp("10.0.0.1", "192.0.2.1", 4_000, 443, 0x10);
    assertThat(rules.decide(packet)).isEqualTo(rules.defaultIndex());
    assertThat(rules.decide(packet, "ads.example")).isZero();
    assertThat(rules.decide(packet, "a.b.tracker.example")).isZero();
    assertThat(rules.decide(packet, "tracker.example")).isEqualTo(rules.defaultIndex());
    assertThat(rules.decide(packet, "www.example.org")).isEqualTo(rules.defaultIndex());
  }

  @Test
  void shouldSayAllThatIsWrong() {
    assertThatThrownBy(() ->
            rules(
                "drop 1.2.3\npass\nset a = 1\nset a = 2\ndrop from @b\ndefault pass\ndefault drop"))
        .hasMessageContaining("f:1: not an IPv4 address")
        .hasMessageContaining("f:4: set is there already: name=a; rename one")
        .hasMessageContaining("f:5: no such set: name=@b")
        .hasMessageContaining("f:7: default stands twice: line=default drop, first in line=6");
  }

  @Test
  void shouldWarnOfWhatCanMatchNothing() {
    rules("drop 2001:db8::1 icmp\ndrop 10.0.0.1 icmpv6");
    assertThat(warnings)
        .containsExactly(
            "f:1: IPv6 has no icmp: rule=drop 2001:db8::1 icmp; icmpv6 may be meant",
            "f:2: IPv4 has no icmpv6: rule=drop 10.0.0.1 icmpv6; icmp may be meant");
  }

  @Test
  void shouldRefuseRulesAboutPortsThatAreNotThere() {
    RuleSet rules = rules("pass in lan\ndrop in lam out wan");
    rules.requirePorts(List.of("lan", "lam", "wan"));
    assertThatThrownBy(() -> rules.requirePorts(List.of("lan", "wan")))
        .hasMessage("f:2: no such port: port=lam, rule=drop in lam out wan; there are lan, wan");
  }

  @Test
  void shouldRefuseARuleThatStandsForTooManyFlows() {
    StringBuilder set = new StringBuilder("set many = 10.0.0.0");
    for (int i = 1; i < 2_000; i++) {
      set.append(", 10.0.").append(i / 250).append('.').append(i % 250);
    }
    RuleSet rules = rules(set + "\ndrop from @many to @many");
    assertThatThrownBy(() -> RuleMatcher.of(rules, "a", "b"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "rule stands for too many flows: flows=4,000,000, rule=drop from @many");
  }
}
