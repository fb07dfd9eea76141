package io.linerate.driver.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdaptiveSenderTest {
  private static final int BATCH = 8;
  private static final long DRAIN_NS = 100_000;

  /** A ring of 16 slots whose kernel empties what it is told of at once, at most so many. */
  private static final class Slots implements AdaptiveSender.Ring {
    final List<Integer> announced = new ArrayList<>();
    int filled;
    int kernelTakes = 16;

    @Override
    public int free() {
      return 16 - filled;
    }

    @Override
    public int announce(int count) {
      int taken = Math.min(count, kernelTakes);
      announced.add(taken);
      filled -= taken;
      return taken;
    }
  }

  private final Slots slots = new Slots();

  private int send(AdaptiveSender sender, int wanted, long nowNs) {
    int count = sender.reserve(wanted);
    slots.filled += count;
    sender.commit(count, nowNs);
    return count;
  }

  private AdaptiveSender sender(CallPolicy policy) {
    return new AdaptiveSender(slots, policy, BATCH, DRAIN_NS);
  }

  @Test
  void shouldAnnounceAtOnceWhenTrafficIsSparse() {
    AdaptiveSender sender = sender(CallPolicy.ADAPTIVE);

    send(sender, 1, 0);
    send(sender, 1, DRAIN_NS + 1);

    assertThat(slots.announced).containsExactly(1, 1);
  }

  @Test
  void shouldAnnounceWhenTheBatchIsFull() {
    AdaptiveSender sender = sender(CallPolicy.ADAPTIVE);
    send(sender, 1, 0);

    for (int i = 0; i < 8; i++) {
      send(sender, 2, 10);
    }

    assertThat(slots.announced).containsExactly(1, BATCH, BATCH);
  }

  @Test
  void shouldAnnounceWhenTheDrainTimerEnds() {
    AdaptiveSender sender = sender(CallPolicy.ADAPTIVE);
    send(sender, 1, 0);
    send(sender, 1, 10);
    send(sender, 1, 60_000);
    assertThat(slots.announced).containsExactly(1);

    send(sender, 1, 10 + DRAIN_NS);

    assertThat(slots.announced).containsExactly(1, 3);
  }

  @Test
  void shouldAnnounceWhenTheWorkerHasNothingElseToDo() {
    AdaptiveSender sender = sender(CallPolicy.ADAPTIVE);
    send(sender, 1, 0);
    send(sender, 3, 10);

    sender.flush();
    sender.flush();

    assertThat(slots.announced).containsExactly(1, 3);
    assertThat(sender.pending()).isZero();
  }

  @Test
  void shouldAnnounceEachBurstWhenAskedTo() {
    AdaptiveSender sender = sender(CallPolicy.ALWAYS);

    send(sender, 2, 0);
    send(sender, 3, 1);

    assertThat(slots.announced).containsExactly(2, 3);
  }

  @Test
  void shouldWaitUntilTheRingIsFullWhenAskedTo() {
    AdaptiveSender sender = sender(CallPolicy.FULL);

    send(sender, 10, 0);
    sender.flush();
    assertThat(slots.announced).isEmpty();
    assertThat(send(sender, 6, 10 * DRAIN_NS)).isEqualTo(6);
    assertThat(slots.announced).containsExactly(16);

    send(sender, 2, 20 * DRAIN_NS);
    sender.drain();
    assertThat(slots.announced).containsExactly(16, 2);
  }

  @Test
  void shouldTakeLessWhenTheKernelTakesLess() {
    AdaptiveSender sender = sender(CallPolicy.ADAPTIVE);
    slots.kernelTakes = 0;

    assertThat(send(sender, 16, 0)).isEqualTo(16);
    assertThat(send(sender, 4, 1)).isZero();
    slots.kernelTakes = 3;
    assertThat(send(sender, 4, 2)).isEqualTo(3);
    assertThat(sender.pending()).isEqualTo(slots.filled);

    slots.kernelTakes = 16;
    sender.flush();
    assertThat(sender.pending()).isZero();
    assertThat(slots.filled).isZero();
  }
}
