package io.linerate.stream.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SentPacketsTest {
  private final List<String> fates = new ArrayList<>();

  private final SentPackets.Fates told =
      new SentPackets.Fates() {
        @Override
        public void acked(int kind, long offset, int length, long sentAtNs) {
          fates.add("acked " + offset);
        }

        @Override
        public void lost(int kind, long offset, int length, long sentAtNs) {
          fates.add("lost " + offset);
        }
      };

  @Test
  void shouldLoseWhatThreeLaterOnesHavePassed() {
    SentPackets sent = new SentPackets(8);
    for (int i = 0; i < 5; i++) {
      sent.add(Wire.PIECE, 10L * i, 10, i);
    }
    assertThat(sent.bytes()).isEqualTo(50);
    assertThat(sent.acked(1, 2, told)).isEqualTo(2);
    assertThat(sent.findLost(5, 100, told)).isEqualTo(100);
    assertThat(fates).containsExactly("acked 10", "acked 20");
    assertThat(sent.acked(3, 3, told)).isEqualTo(3);
    assertThat(sent.findLost(6, 100, told)).isEqualTo(Long.MAX_VALUE);
    assertThat(fates).endsWith("acked 30", "lost 0");
    assertThat(sent.bytes()).isEqualTo(10);
    assertThat(sent.acked(0, 0, told)).isEqualTo(-1);
  }

  @Test
  void shouldLoseWhatIsOlderThanWhatHasCome() {
    SentPackets sent = new SentPackets(8);
    sent.add(Wire.PIECE, 0, 10, 0);
    sent.add(Wire.PIECE, 10, 10, 50);
    sent.acked(1, 1, told);
    assertThat(sent.findLost(99, 100, told)).isEqualTo(100);
    assertThat(sent.findLost(100, 100, told)).isEqualTo(Long.MAX_VALUE);
    assertThat(fates).containsExactly("acked 10", "lost 0");
    assertThat(sent.isEmpty()).isTrue();
  }

  @Test
  void shouldNotBelieveThatWhatWasNeverSentHasCome() {
    SentPackets sent = new SentPackets(8);
    sent.add(Wire.PIECE, 0, 10, 0);
    assertThat(sent.acked(0, 1, told)).isEqualTo(-1);
    assertThat(sent.acked(0, Long.MAX_VALUE, told)).isEqualTo(-1);
    assertThat(sent.acked(-5, -1, told)).isEqualTo(-1);
    assertThat(fates).isEmpty();
    assertThat(sent.bytes()).isEqualTo(10);
  }

  /** Whatever comes in which order: each number is new once, as far back as is kept. */
  @Test
  void shouldKnowWhichNumbersHaveCome() {
    Random random = new Random(3);
    ReceivedNumbers received = new ReceivedNumbers();
    Set<Long> model = new HashSet<>();
    long top = 0;
    for (int i = 0; i < 100_000; i++) {
      top += random.nextInt(3);
      long number = Math.max(0, top - random.nextInt(random.nextInt(50) + 1));
      boolean isNew = received.isNew(number);
      assertThat(received.add(number)).isEqualTo(isNew);
      if (isNew) {
        assertThat(model.add(number)).as("number=%d is believed twice", number).isTrue();
      }
      assertThat(received.isNew(number)).isFalse();
      for (int range = 0; range < received.ranges(); range++) {
        assertThat(model.contains(received.first(range)) && model.contains(received.last(range)))
            .isTrue();
      }
    }
    assertThat(received.ranges()).isLessThanOrEqualTo(ReceivedNumbers.MOST_RANGES);
  }
}
