package io.linerate.testkit.graph;

import static io.linerate.testkit.graph.FrameBuilder.icmp6;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Wiring;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.Tee;
import io.linerate.graph.element.ToPort;
import io.linerate.wire.Arp;
import io.linerate.wire.EtherType;
import io.linerate.wire.Vlan;
import org.junit.jupiter.api.Test;

/** What the tests of the standard elements do not show. */
class ElementHarnessTest {
  private static final byte[] FRAME = {1, 2, 3};

  private final FrameBuilder arp =
      FrameBuilder.arp(Arp.REQUEST, FrameBuilder.MAC_A, "10.0.0.1", FrameBuilder.MAC_B, "10.0.0.2");

  @Test
  void shouldBeThePortsOfElementsThatHaveSome() {
    try (var from = new ElementHarness(new FromPort("eth0"));
        var to = new ElementHarness(new ToPort("eth1"))) {
      from.receive("eth0", FRAME);
      assertThat(from.out("out")).containsExactly(FRAME);
      to.push(FRAME);
      assertThat(to.transmitted("eth1")).containsExactly(FRAME);
      assertThat(to.counts().packetsOut()).isEqualTo(1);
    }
  }

  @Test
  void shouldCountPacketsAsSentThatLeaveByAnOutputWhichNobodyReads() {
    try (var harness = new ElementHarness(new Counter()).disconnect("out")) {
      harness.push(FRAME);
      assertThat(harness.counts().packetsOut()).isEqualTo(1);
      assertThat(harness.out("out")).isEmpty();
    }
  }

  @Test
  void shouldGiveWhatCameOutToViews() {
    try (var harness = new ElementHarness(new Counter())) {
      harness.push(tcp4().ports(7, 9).vlan(5), udp6().payload(2_500), arp);
      Packet first = harness.packet("out");
      assertThat(new Vlan().wrap(first, 14).vid()).isEqualTo(5);
      Layers second = harness.layers("out");
      assertThat(second.ipv6().hopLimit()).isEqualTo(64);
      assertThat(second.udp().payloadBytes()).isEqualTo(2_500);
      assertThat(second.payload(62)).isEqualTo(FrameBuilder.numbers(2_500));
      assertThat(harness.layers("out").arp().operation()).isEqualTo(Arp.REQUEST);
      Layers again = Layers.of(first);
      assertThat(again.vlan(0).vid()).isEqualTo(5);
      assertThat(again.ipv4().ttl()).isEqualTo(64);
      assertThat(again.tcp().sourcePort()).isEqualTo(7);
      assertThat(again.ethernet().etherType()).isEqualTo(EtherType.VLAN);
      assertThat(again.scanner().l3Offset()).isEqualTo(18);
      harness.push(icmp6());
      assertThat(harness.layers("out").icmp().identifier()).isEqualTo(7);
      assertThat(harness.out("out")).isEmpty();
    }
  }

  @Test
  void shouldSayWhatIsThereInPlaceOfAPacketOrHeader() {
    try (var harness = new ElementHarness(new Counter())) {
      assertThatThrownBy(() -> harness.packet("out"))
          .isInstanceOf(AssertionError.class)
          .hasMessageContainingAll("no packet is left", "output=out", "packetsIn=0");
      harness.push(arp);
      Layers layers = harness.layers("out");
      assertThatThrownBy(layers::ipv4)
          .isInstanceOf(AssertionError.class)
          .hasMessageContainingAll("no IPv4 header", "etherType=arp", "length=42", "bytes=ffffff");
      assertThatThrownBy(layers::tcp).hasMessageContaining("no TCP header");
      assertThatThrownBy(() -> layers.vlan(0)).hasMessageContaining("no VLAN header");
    }
  }

  @Test
  void shouldSayWhichPacketIsNotExpected() {
    try (var harness = new ElementHarness(new Counter())) {
      harness.push(udp4(), tcp4());
      harness.expect("out", udp4(), tcp4());
      harness.expectNothing("out");
      harness.push(udp4(), tcp4());
      assertThatThrownBy(() -> harness.expect("out", udp4(), udp4()))
          .isInstanceOf(AssertionError.class)
          .hasMessageContainingAll("output=out, index=1, expected=2, came=2")
          .hasMessageMatching("(?s).*expected: .*ipProtocol=udp.*came: .*ipProtocol=tcp.*");
      harness.push(udp4());
      assertThatThrownBy(() -> harness.expectNothing("out"))
          .hasMessageContainingAll("expected: none", "came=1");
      assertThatThrownBy(() -> harness.expect("out", FRAME))
          .hasMessageContainingAll("came:     none", "defect=TRUNCATED_ETHERNET");
    }
  }

  @Test
  void shouldRefuseWhatTheElementHasNot() {
    assertThatThrownBy(() -> new ElementHarness(new Tee(0)).close())
        .isInstanceOf(ConfigException.class)
        .hasMessage("number out of range: copies=0; write 1 to 63");
    try (var harness = new ElementHarness(new Counter())) {
      assertThatThrownBy(() -> harness.out("none"))
          .hasMessage("element has no such input or output: name=none; it has out");
      assertThatThrownBy(() -> harness.disconnect("none"))
          .hasMessage("element has no such input or output: name=none; it has out");
      assertThatThrownBy(() -> harness.pushTo("none", FRAME))
          .hasMessage("element has no such input or output: name=none; it has in");
      assertThatThrownBy(() -> harness.read("none")).isInstanceOf(ConfigException.class);
    }
  }

  /** Throws at each packet. */
  private record Broken() implements Element {
    @Override
    public void open(Wiring wiring) {
      wiring.output("out");
      wiring.input(
          "in",
          burst -> {
            throw new IllegalStateException("wanted");
          });
    }
  }

  @Test
  void shouldFailWithItsElementUnlessTheTestAsks() {
    ElementHarness harness = new ElementHarness(new Broken());
    harness.push(FRAME);
    assertThat(harness.out("out")).isEmpty();
    assertThatIllegalStateException()
        .isThrownBy(harness::close)
        .withMessageContaining("element failed")
        .withMessageContaining("wanted");
    try (var asked = new ElementHarness(new Broken())) {
      asked.push(FRAME);
      assertThat(asked.failure()).hasValueSatisfying(text -> assertThat(text).contains("wanted"));
      assertThat(asked.drops()).containsOnlyKeys("handler_error");
    }
  }
}
