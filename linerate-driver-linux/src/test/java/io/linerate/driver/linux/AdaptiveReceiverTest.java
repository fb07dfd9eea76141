package io.linerate.driver.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdaptiveReceiverTest {
  private static final int THRESHOLD = 4;

  /** A ring that counts how often it is looked at. */
  private static final class Slots implements AdaptiveReceiver.Ring {
    final List<Integer> givenBack = new ArrayList<>();
    int filled;
    int looks;

    @Override
    public int available() {
      looks++;
      return filled;
    }

    @Override
    public void giveBack(int taken) {
      givenBack.add(taken);
      filled -= taken;
    }
  }

  private final Slots slots = new Slots();
  private final AdaptiveReceiver receiver = new AdaptiveReceiver(slots, THRESHOLD);

  @Test
  void shouldTakeWhatIsThereWithOneLook() {
    slots.filled = 7;

    assertThat(receiver.take(3)).isEqualTo(3);
    assertThat(receiver.take(3)).isEqualTo(3);
    assertThat(receiver.take(3)).isEqualTo(1);

    assertThat(slots.looks).isEqualTo(1);
  }

  @Test
  void shouldGiveSlotsBackAtTheThreshold() {
    slots.filled = 20;

    for (int i = 0; i < 5; i++) {
      receiver.take(2);
    }

    assertThat(slots.givenBack).containsExactly(4, 4);
  }

  @Test
  void shouldGiveAllBackBeforeItLooksAgain() {
    slots.filled = 3;
    receiver.take(3);
    assertThat(slots.givenBack).isEmpty();

    assertThat(receiver.take(3)).isZero();

    assertThat(slots.givenBack).containsExactly(3);
    assertThat(slots.filled).isZero();
  }

  @Test
  void shouldTakeNothingWhenNothingIsWanted() {
    slots.filled = 3;

    assertThat(receiver.take(0)).isZero();
    receiver.giveBack();

    assertThat(slots.givenBack).isEmpty();
  }
}
