package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.MAC_A;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.testkit.graph.Layers;
import io.linerate.wire.Arp;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.NeighborMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnnounceTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void shouldTellThreeTimesWhoHasAnAddress() {
    try (var harness = new ElementHarness(Announce.of(MAC_A, "192.0.2.1"))) {
      harness.round();
      FrameBuilder announcement =
          FrameBuilder.arp(Arp.REQUEST, MAC_A, "192.0.2.1", "00:00:00:00:00:00", "192.0.2.1")
              .ethernet(MAC_A, "ff:ff:ff:ff:ff:ff")
              .padding(18);
      for (int i = 0; i < 3; i++) {
        harness.expect("out", announcement);
        harness.advance(SECOND);
      }
      harness.advance(10 * SECOND);
      assertThat(harness.out("out")).isEmpty();
      assertThat(harness.read("announced")).isEqualTo("3");
    }
  }

  @Test
  void shouldTellWhoHasAnAddressOfIpv6() {
    try (var harness = new ElementHarness(Announce.of(MAC_A, "2001:db8::1"))) {
      harness.round();
      Layers layers = harness.layers("out");
      assertThat(InternetChecksum.verify(layers.packet(), layers.scanner())).isTrue();
      byte[] frame = layers.packet().toBytes();
      NeighborMessage message = new NeighborMessage();
      message.wrap(layers.packet(), layers.scanner().l4Offset(), layers.scanner().l4Bytes());
      assertThat(frame).startsWith(0x33, 0x33, 0, 0, 0, 1);
      assertThat(layers.packet().u8(54)).as("type").isEqualTo(136);
      assertThat(Ipv6Address.format(message.targetHigh(), message.targetLow()))
          .isEqualTo("2001:db8::1");
      assertThat(message.has(NeighborMessage.OVERRIDE)).isTrue();
      assertThat(message.has(NeighborMessage.SOLICITED)).isFalse();
    }
  }

  @Test
  void shouldNameWhatIsWrong() {
    assertThatThrownBy(() -> new ElementHarness(new Announce(MAC_A, List.of("192.0.2.1/24"))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("addresses: ");
  }
}
