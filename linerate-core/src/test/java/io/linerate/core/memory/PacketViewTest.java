package io.linerate.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PacketViewTest {
  private final TestBuffers buffers = new TestBuffers(4);
  private long nowNs;

  @AfterEach
  void buffersAreFree() {
    buffers.close();
  }

  @Test
  void shouldGivePacketsThatCameTogetherOneTime() {
    PacketView view = new PacketView(() -> ++nowNs);
    buffers.append(TestBuffers.counting(60), 60);
    buffers.append(TestBuffers.counting(70), 70);
    for (int burst = 1; burst <= 2; burst++) {
      assertThat(view.of(buffers.owned.array(), 0).timestampNs()).isEqualTo(burst);
      assertThat(view.of(buffers.owned.array(), 1).timestampNs()).isEqualTo(burst);
      assertThat(view.of(buffers.owned.array(), 1).length()).isEqualTo(70);
      view.end();
    }
    buffers.burst.finish(buffers.freeBuffer);
  }
}
