package io.linerate.apps.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.OwnedBurst;
import io.linerate.testkit.Packets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReceptionTest {
  /** What a reception says of packets 0, 1, 2, ... of a stream that come in this order. */
  private static ReceptionResult received(String description, List<Integer> order) {
    TrafficStream stream = TrafficStream.of("s", description + " size=64 sequence=true");
    Reception reception = new Reception(1, 1, stream.hasManyFlows(), () -> 0);
    try (Packets packets = new Packets()) {
      FrameSource source = stream.source(0, 0, 1);
      OwnedBurst sent = packets.owned();
      assertThat(packets.pool().allocate(sent.array(), order.size())).isTrue();
      source.write(packets.burst(), 0, 1);
      long[] handles = new long[order.size()];
      for (int i = 0; i < handles.length; i++) {
        handles[i] = sent.array().handle(i);
      }
      for (int i = 0; i < handles.length; i++) {
        sent.array().handle(i, handles[order.get(i)]);
      }
      reception.handler().onBurst(packets.burst());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return reception.result(order.size());
  }

  @Test
  void shouldFindNothingWrongWithFlowsThatPassEachOther() {
    ReceptionResult result = received("srcport=1000-1001", List.of(1, 3, 5, 0, 2, 4));
    assertThat(result.received()).isEqualTo(6);
    assertThat(result.reordered()).isZero();
    assertThat(result.lost()).isZero();
  }

  @Test
  void shouldCountPacketsThatPassOthersOfTheirFlow() {
    ReceptionResult result = received("srcport=1000-1001", List.of(1, 5, 3, 2, 0, 4));
    assertThat(result.reordered()).isEqualTo(2);
    assertThat(result.reorderingExtent()).isEqualTo(2);
  }

  @Test
  void shouldJudgeAStreamOfOneFlowAsAWhole() {
    ReceptionResult result = received("srcport=1000", List.of(1, 3, 5, 0, 2, 4));
    assertThat(result.reordered()).isEqualTo(3);
    assertThat(result.reorderingExtent()).isEqualTo(5);
  }
}
