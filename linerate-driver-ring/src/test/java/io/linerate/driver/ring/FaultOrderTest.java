package io.linerate.driver.ring;

import static io.linerate.driver.ring.FaultLab.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When received packets come through a fault port, and in which order. */
final class FaultOrderTest {
  private static final long MS = 1_000_000;

  private static List<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  @Test
  void shouldHoldEveryPacketForItsDelayAndNoLonger() {
    try (FaultLab lab = new FaultLab("delay=5ms,", 64)) {
      lab.feed(10);
      assertThat(lab.receive()).isEmpty();
      lab.nowNs += 2 * MS;
      lab.feed(10);
      lab.receive();
      lab.nowNs += 3 * MS - 1;
      assertThat(lab.receive()).isEmpty();
      lab.nowNs += 1;
      assertThat(numbers(lab.receive())).isEqualTo(range(0, 10));
      lab.nowNs += 2 * MS;
      assertThat(numbers(lab.receive())).isEqualTo(range(10, 20));
      assertThat(lab.fault("delay")).isEqualTo(20);
      assertThat(lab.fault("reorder")).isZero();
    }
  }

  @Test
  void shouldKeepTheOrderWhateverTheJitter() {
    List<Long> waits = waitsUs();
    assertThat(waits).hasSize(2_000).allMatch(wait -> wait >= 1_000 && wait <= 11_100);
    assertThat(new HashSet<>(waits)).hasSizeGreaterThan(5);
    assertThat(waitsUs()).isEqualTo(waits);
  }

  /** How long each of many packets is held that come 100 µs apart; they come out in order. */
  private static List<Long> waitsUs() {
    try (FaultLab lab = new FaultLab("delay=1ms,jitter=10ms,", 64)) {
      List<Long> waits = new ArrayList<>();
      for (int step = 0; waits.size() < 2_000; step++) {
        if (step < 2_000) {
          lab.feed(1);
        }
        for (int number : numbers(lab.receive())) {
          assertThat(number).isEqualTo(waits.size());
          waits.add((step - number) * 100L);
        }
        lab.nowNs += 100_000;
      }
      return waits;
    }
  }

  @Test
  void shouldLetAsManyPassAsItsDistanceSays() {
    try (FaultLab lab = new FaultLab("reorder=0.1,distance=5,seed=3,", 8_192)) {
      lab.feed(5_000);
      List<Integer> numbers = new ArrayList<>(numbers(lab.receive()));
      lab.nowNs += DelayLine.PATIENCE_NS;
      numbers.addAll(numbers(lab.receive()));
      assertThat(numbers).containsExactlyInAnyOrderElementsOf(range(0, 5_000));
      Set<Integer> late = late(numbers);
      assertThat(lab.fault("reorder")).isEqualTo(late.size()).isBetween(400L, 600L);
      assertThat(numbers.stream().filter(number -> !late.contains(number))).isSorted();
      Set<Long> distances = new HashSet<>();
      for (int number : late) {
        distances.add(
            numbers.subList(0, numbers.indexOf(number)).stream()
                .filter(before -> before > number && !late.contains(before))
                .count());
      }
      assertThat(distances).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L);
    }
  }

  /** Those that stand behind a later one. */
  private static Set<Integer> late(List<Integer> numbers) {
    Set<Integer> late = new HashSet<>();
    int most = -1;
    for (int number : numbers) {
      if (number < most) {
        late.add(number);
      }
      most = Math.max(most, number);
    }
    return late;
  }

  @Test
  void shouldNotWaitForeverForThoseThatPass() {
    try (FaultLab lab = new FaultLab("reorder=1,", 64)) {
      lab.feed(1);
      assertThat(lab.receive()).isEmpty();
      lab.nowNs += DelayLine.PATIENCE_NS - 1;
      assertThat(lab.receive()).isEmpty();
      lab.nowNs += 1;
      assertThat(numbers(lab.receive())).containsExactly(0);
      assertThat(lab.fault("reorder")).as("nobody has passed it").isZero();
    }
  }

  @Test
  void shouldSetNoMoreAsideThanItHasRoomFor() {
    try (FaultLab lab = new FaultLab("reorder=1,distance=64,", 8_192)) {
      lab.feed(5_000);
      List<Integer> numbers = new ArrayList<>(numbers(lab.receive()));
      assertThat(numbers).hasSizeBetween(5_000 - DelayLine.MAX_ASIDE, 4_999);
      lab.nowNs += DelayLine.PATIENCE_NS;
      numbers.addAll(numbers(lab.receive()));
      assertThat(numbers).containsExactlyInAnyOrderElementsOf(range(0, 5_000));
    }
  }

  @Test
  void shouldReleaseWhatIsAsideWhenNoMoreCanCome() {
    try (FaultLab lab = new FaultLab("reorder=1,", 64)) {
      lab.feed(3);
      lab.far.close();
      assertThat(lab.port.rxQueue(0).exhausted()).isFalse();
      assertThat(numbers(lab.receive())).containsExactly(0, 1, 2);
      assertThat(lab.port.rxQueue(0).exhausted()).isTrue();
    }
  }

  @Test
  void shouldBeExhaustedOnlyWhenWhatIsDelayedHasCome() {
    try (FaultLab lab = new FaultLab("delay=10s,", 64)) {
      lab.feed(3);
      lab.far.close();
      assertThat(lab.receive()).isEmpty();
      assertThat(lab.port.rxQueue(0).exhausted()).isFalse();
      lab.nowNs += 10_000 * MS;
      assertThat(numbers(lab.receive())).containsExactly(0, 1, 2);
      assertThat(lab.port.rxQueue(0).exhausted()).isTrue();
    }
  }

  @Test
  void shouldReceiveNoMoreThanItHolds() {
    try (FaultLab lab = new FaultLab("delay=1s,hold=256,duplicate=1,", 1_024)) {
      lab.feed(1_000);
      for (int i = 0; i < 100; i++) {
        assertThat(lab.receive()).isEmpty();
      }
      assertThat(lab.far.txQueue(0).waiting()).as("left on the wire").isEqualTo(1_000 - 128);
      List<Integer> numbers = new ArrayList<>();
      while (numbers.size() < 2_000) {
        lab.nowNs += 1_000 * MS;
        numbers.addAll(numbers(lab.receive()));
      }
      assertThat(numbers).isEqualTo(IntStream.range(0, 2_000).map(i -> i / 2).boxed().toList());
    }
  }

  @Test
  void shouldCountWhatNobodyHasReceivedAsMissed() {
    try (FaultLab lab = new FaultLab("delay=1s,duplicate=1,", 64)) {
      lab.feed(10);
      assertThat(lab.receive()).isEmpty();
      lab.port.close();
      assertThat(lab.port.statistics().missed()).isEqualTo(20);
      assertThat(lab.fault("left")).isEqualTo(20);
      assertThat(lab.port.statistics().rxPackets()).isZero();
    }
  }

  /** Those of networks as they are: any change of what a seed means is seen here. */
  @Test
  void shouldMakeTheFaultsThatItsSeedSays() {
    try (FaultLab lab =
        new FaultLab("drop=0.01,duplicate=0.01,reorder=0.01,corrupt=0.001,seed=7,", 16_384)) {
      int received = 0;
      for (int round = 0; round < 20; round++) {
        lab.feed(5_000);
        received += lab.receive().size();
        lab.nowNs += DelayLine.PATIENCE_NS;
        received += lab.receive().size();
      }
      assertThat(
              List.of(
                  lab.fault("drop"),
                  lab.fault("duplicate"),
                  lab.fault("reorder"),
                  lab.fault("corrupt"),
                  (long) received))
          .containsExactly(995L, 982L, 965L, 105L, 99_987L);
    }
  }
}
