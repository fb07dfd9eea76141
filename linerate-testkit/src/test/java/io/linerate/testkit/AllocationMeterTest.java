package io.linerate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AllocationMeterTest {
  /** So that objects are made. */
  volatile byte @Nullable [] made;

  @Test
  void shouldWaitForARoundWithoutObjects() {
    AllocationMeter meter = new AllocationMeter(10);
    int rounds = 0;
    while (!meter.isDone()) {
      if (rounds++ < 50) {
        made = new byte[100];
      }
      meter.add(10);
    }
    assertThat(rounds).isGreaterThan(50);
    meter.assertQuiet();
  }

  @Test
  void shouldNameTheLastRoundsWhenAllMadeObjects() {
    AllocationMeter meter = new AllocationMeter(10, 0);
    for (int round = 0; round <= 20; round++) {
      made = new byte[round];
      meter.add(10);
    }
    assertThat(meter.isDone()).isTrue();
    assertThatThrownBy(meter::assertQuiet)
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching(
            "objects are made for packets: roundPackets=10, rounds=20, bytesOfLastRounds=\\[(\\d+, ){9}\\d+]");
  }

  @Test
  void shouldBeginAnewOnAnotherThread() throws InterruptedException {
    AllocationMeter meter = new AllocationMeter(10, 0);
    meter.add(10);
    Thread other = new Thread(() -> meter.add(10));
    other.start();
    other.join();
    assertThatThrownBy(meter::assertQuiet).hasMessageContaining("rounds=0, bytesOfLastRounds=[]");
  }
}
