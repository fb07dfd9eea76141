package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {
  @ParameterizedTest
  @CsvSource({
    "icmp, 1",
    "igmp, 2",
    "tcp, 6",
    "udp, 17",
    "gre, 47",
    "esp, 50",
    "ah, 51",
    "icmpv6, 58",
    "ospf, 89",
    "sctp, 132",
    "pim, 103",
    "vrrp, 112",
    "dccp, 33",
    "udplite, 136",
    "l2tp, 115"
  })
  void shouldKnowIpProtocolsBothWays(String name, int number) {
    assertThat(IpProtocol.number(name)).isEqualTo(number);
    assertThat(IpProtocol.name(number)).isEqualTo(name);
  }

  @Test
  void shouldKnowOtherNamesOfIpProtocols() {
    assertThat(IpProtocol.number("TCP")).isEqualTo(6);
    assertThat(IpProtocol.number("ipv6-icmp")).isEqualTo(58);
    assertThat(IpProtocol.number("carrier-pigeon")).isEqualTo(-1);
    assertThat(IpProtocol.name(253)).isEqualTo("253");
  }

  @Test
  void shouldNameEveryIpProtocolSoThatTheNumberComesBack() {
    for (int number = 0; number <= IpProtocol.MAX; number++) {
      String name = IpProtocol.name(number);
      int back = IpProtocol.number(name);
      assertThat(back < 0 ? Integer.parseInt(name) : back).isEqualTo(number);
    }
  }

  @Test
  void shouldKnowEtherTypesBothWays() {
    assertThat(EtherType.number("IPv6")).isEqualTo(0x86DD);
    assertThat(EtherType.name(0x0806)).isEqualTo("arp");
    assertThat(EtherType.name(0x88B5)).isEqualTo("0x88b5");
    assertThat(EtherType.number("token-ring")).isEqualTo(-1);
    assertThat(EtherType.isVlan(0x8100)).isTrue();
    assertThat(EtherType.isVlan(0x88A8)).isTrue();
    assertThat(EtherType.isVlan(0x0800)).isFalse();
  }
}
