package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.MAC_A;
import static io.linerate.testkit.graph.FrameBuilder.MAC_B;
import static io.linerate.testkit.graph.FrameBuilder.ethernet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import org.junit.jupiter.api.Test;

class EtherMirrorTest {
  private static final String ALL = "ff:ff:ff:ff:ff:ff";

  @Test
  void shouldExchangeTheAddresses() {
    FrameBuilder there = ethernet();
    try (var harness = new ElementHarness(new EtherMirror())) {
      harness.push(there.payload(60).toBytes(), new byte[13], there.ethernet(MAC_A, ALL).toBytes());
      harness.expect("out", there.ethernet(MAC_B, MAC_A).payload(60), there.ethernet(ALL, MAC_A));
      assertThat(harness.drops()).containsExactly(entry("truncated_ethernet", 1L));
    }
  }
}
