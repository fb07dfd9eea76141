package io.linerate.decode.reassembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.core.memory.SlidingWindowBuffer;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Packets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlidingWindowAllocationTest {
  private static final int ROUND_PACKETS = 100_000;
  private static final int BYTES = 100;

  private final SlidingWindowBuffer window = new SlidingWindowBuffer();
  private long digest;

  /** The window has as many packets as it did before, whether that is none or some. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 4, 7, 100})
  void shouldSlideWithoutMakingObjects(int left) {
    requireQuiet(left, 1);
  }

  @Test
  void shouldSlideOverManyAtOnceWithoutMakingObjects() {
    requireQuiet(0, 37);
  }

  private void requireQuiet(int left, int atOnce) {
    try (Packets packets = new Packets()) {
      Packet packet = packets.of(new byte[BYTES]);
      AllocationMeter meter = new AllocationMeter(ROUND_PACKETS);
      while (!meter.isDone()) {
        for (int i = 0; i < atOnce; i++) {
          window.append(packet, 0, BYTES);
        }
        digest += window.u8(window.length() - 1) + window.parts();
        window.slideTo(Math.max(window.end() - (long) BYTES * left, window.start()));
        meter.add(atOnce);
      }
      meter.assertQuiet();
      assertThat(window.parts()).isEqualTo(left);
      assertThat(digest).isPositive();
    }
  }
}
