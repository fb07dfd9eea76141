package io.linerate.analysis;

import static io.linerate.testkit.graph.FrameBuilder.A4;
import static io.linerate.testkit.graph.FrameBuilder.B4;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.Packets;
import io.linerate.testkit.graph.FrameBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FlowIdTest {
  /** The flow of a frame. */
  static FlowId of(FrameBuilder frame) {
    try (Packets packets = new Packets()) {
      PacketReader reader = new PacketReader(AnalysisSettings.DEFAULT, new TimeMark(1));
      Seen seen = Objects.requireNonNull(reader.apply(packets.of(frame.toBytes())));
      return ((FlowId) seen.key()).copy();
    }
  }

  private static List<FlowId> some() {
    List<FlowId> flows = new ArrayList<>(List.of(of(tcp6()), of(tcp4()), of(udp4())));
    for (int port = 1; port <= 20; port++) {
      flows.add(of(tcp4().ports(port, 80)));
    }
    return flows;
  }

  private static List<Integer> hashes(KeyHash secret) {
    return some().stream().map(flow -> flow.hash(secret)).toList();
  }

  @Test
  void shouldBeTheSameForBothDirections() {
    FlowId there = of(tcp4().ports(1, 2));
    FlowId back = of(tcp4().between(B4, A4).ports(2, 1));
    assertThat(back).isEqualTo(there).hasSameHashCodeAs(there);
    assertThat(of(tcp4().ports(2, 1))).isNotEqualTo(there);
    assertThat(some()).doesNotHaveDuplicates();
  }

  /** Who knew it would choose flows that all have the same. */
  @Test
  void shouldHaveAHashThatASecretSays() {
    List<Integer> hashes = hashes(new KeyHash(new Random(1)));
    assertThat(hashes).isEqualTo(hashes(new KeyHash(new Random(1)))).doesNotHaveDuplicates();
    assertThat(hashes(new KeyHash(new Random(2)))).doesNotContainAnyElementsOf(hashes);
    assertThat(some().stream().map(FlowId::hashCode))
        .isEqualTo(hashes(KeyHash.SECRET))
        .doesNotContainAnyElementsOf(hashes);
  }
}
