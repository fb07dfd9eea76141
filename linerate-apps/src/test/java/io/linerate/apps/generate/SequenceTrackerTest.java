package io.linerate.apps.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SequenceTrackerTest {
  private static SequenceTracker of(long... sequences) {
    SequenceTracker tracker = new SequenceTracker();
    for (long sequence : sequences) {
      boolean _ = tracker.add(sequence);
    }
    return tracker;
  }

  @Test
  void shouldTellDuplicatesFromPacketsThatCameLate() {
    SequenceTracker tracker = of(0, 1, 1, 5, 3, 3, 4, 6);
    assertThat(tracker.unique()).isEqualTo(6);
    assertThat(tracker.duplicates()).isEqualTo(2);
  }

  @Test
  void shouldRememberAsMuchAsItsWindow() {
    int window = SequenceTracker.WINDOW;
    assertThat(of(0, window - 1, 0).duplicates()).isEqualTo(1);
    assertThat(of(0, window, 0).duplicates()).as("forgotten").isZero();
    assertThat(of(0, window, window).duplicates()).isEqualTo(1);
    assertThat(of(3, 10L * window + 3, 10L * window + 3).duplicates()).isEqualTo(1);
    assertThat(of(3, 10L * window + 4, 10L * window + 3).duplicates()).isZero();
  }

  @Test
  void shouldCountAsASetDoes() {
    Random random = new Random(3);
    List<Long> numbers = new ArrayList<>(LongStream.range(0, 5_000).boxed().toList());
    for (int i = 0; i < 500; i++) {
      numbers.add((long) random.nextInt(5_000));
    }
    Collections.shuffle(numbers, random);
    SequenceTracker tracker = new SequenceTracker();
    Set<Long> seen = new HashSet<>();
    long duplicates = 0;
    for (long number : numbers) {
      boolean isNew = seen.add(number);
      assertThat(tracker.add(number)).isEqualTo(isNew);
      duplicates += isNew ? 0 : 1;
    }
    assertThat(tracker.unique()).isEqualTo(seen.size());
    assertThat(tracker.duplicates()).isEqualTo(duplicates);
  }
}
