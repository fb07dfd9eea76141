package io.linerate.core.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SteeringRuleTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "queue 0",
        "vlan 100 queue 3",
        "arp queue 1",
        "ethertype 0x88f7 queue 1",
        "vlan 0 ipv4 tcp src 10.0.0.0/8 dst 192.0.2.1 sport 0 dport 65535 queue 65535",
        "ipv6 proto 89 src 2001:db8:0:0:0:0:0:0/33 queue 2",
        "icmpv6 queue 1",
        "sctp dport 9 queue 1"
      })
  void shouldReadWhatItWrites(String text) {
    assertThat(SteeringRule.parse(text)).hasToString(text);
    assertThat(SteeringRule.parse(SteeringRule.parse(text).toString()))
        .isEqualTo(SteeringRule.parse(text));
  }

  @Test
  void shouldReadWordsInAnyOrder() {
    assertThat(SteeringRule.parse(" QUEUE 1  dport 53 dst 10.1.2.3/8 UDP"))
        .isEqualTo(
            SteeringRule.toQueue(1)
                .withProtocol(SteeringRule.UDP)
                .withDestination(AddressPrefix.parse("10.0.0.0/8"))
                .withDestinationPort(53));
    assertThat(
            SteeringRule.toQueue(0)
                .withVlan(7)
                .withEtherType(SteeringRule.IPV6)
                .withProtocol(SteeringRule.TCP)
                .withSource(AddressPrefix.parse("2001:db8::1"))
                .withSourcePort(9))
        .hasToString("vlan 7 ipv6 tcp src 2001:db8:0:0:0:0:0:1 sport 9 queue 0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          '' | unknown word=
          udp | no queue
          udp tcp queue 1 | said twice: proto
          udp dport 53 queue | unknown word=queue
          port 53 queue 1 | unknown word=port
          dport 53 queue 1 | say tcp, udp or sctp
          icmp sport 1 queue 1 | say tcp, udp or sctp
          udp dport http queue 1 | not a number: dport=http
          udp dport 65536 queue 1 | dport=65536
          vlan 4095 queue 1 | vlan=4095; 0 to 4094
          proto 256 queue 1 | protocol=256
          ethertype 0x8100 queue 1 | vlan ID for a tag
          ethertype 0x0100 queue 1 | 0x0600 to 0xffff
          arp src 10.0.0.1 queue 1 | only IP has addresses
          ipv6 dst 10.0.0.1 queue 1 | both IPv4 and IPv6
          src ::1 dst 10.0.0.1 queue 1 | both IPv4 and IPv6
          src 10.0.0 queue 1 | not an address: address=10.0.0
          src 10.0.0.1/33 queue 1 | not an address: address=10.0.0.1/33
          src 10.0.0.256 queue 1 | not an address
          src ::1%lo queue 1 | not an address
          src ::ffff:10.0.0.1 queue 1 | not an address
          udp queue 65536 | queue=65536
          """)
  void shouldSayWhatIsWrong(String text, String message) {
    assertThatThrownBy(() -> SteeringRule.parse(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "udp, udp dport 53, true",
    "udp, tcp, false",
    "udp, arp, false",
    "arp, src 10.0.0.1, false",
    "arp, vlan 7, true",
    "ipv4, ipv6, false",
    "ipv4, src ::/0, false",
    "udp, dst 10.0.0.0/8, true",
    "dst 10.0.0.0/8, dst 10.1.0.0/16, true",
    "dst 10.0.0.0/16, dst 10.1.0.0/16, false",
    "src 2001:db8::/65, src 2001:db8::1, true",
    "src 2001:db8::/65, src 2001:db8:0:0:8000::1, false",
    "vlan 1, vlan 2, false"
  })
  void shouldKnowWhetherAPacketMayMatchBoth(String one, String other, boolean isSo) {
    SteeringRule first = SteeringRule.parse(one + " queue 0");
    SteeringRule second = SteeringRule.parse(other + " queue 1");
    assertThat(first.overlaps(second)).isEqualTo(isSo);
    assertThat(second.overlaps(first)).isEqualTo(isSo);
  }

  @Test
  void shouldKeepTheRulesThatItHadWhereADriverRefusesOthers() {
    List<List<SteeringRule>> given = new ArrayList<>();
    SteeringRule good = SteeringRule.parse("udp queue 1");
    SteeringRule bad = SteeringRule.parse("tcp queue 1");
    SteeringTable table =
        new SteeringTable(
            "in",
            2,
            rules -> {
              if (rules.contains(bad)) {
                throw new PortException("no");
              }
              given.add(rules);
            });
    table.add(good);
    assertThatThrownBy(() -> table.add(bad)).hasMessage("no");
    assertThat(table.rules()).containsExactly(good);
    assertThat(table.remove(bad)).isFalse();
    assertThat(table.possibleFields()).isEmpty();
    assertThatThrownBy(table::settings).isInstanceOf(PortException.class);
    assertThat(table.remove(good)).isTrue();
    assertThat(given).containsExactly(List.of(good), List.of());
  }
}
