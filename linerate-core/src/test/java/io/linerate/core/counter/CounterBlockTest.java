package io.linerate.core.counter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class CounterBlockTest {
  @Test
  void shouldReadWhatWasPublished() {
    CounterBlock block = new CounterBlock(3);
    assertThat(block.read()).containsExactly(0, 0, 0);
    block.begin();
    block.set(0, 7);
    block.set(2, -1);
    block.publish();
    assertThat(block.size()).isEqualTo(3);
    assertThat(block.read()).containsExactly(7, 0, -1);
  }

  @Test
  void shouldShowReadersOneMomentOnly() throws Exception {
    CounterBlock block = new CounterBlock(16);
    AtomicBoolean isDone = new AtomicBoolean();
    Thread writer =
        new Thread(() -> {
          for (long value = 1; !isDone.get(); value++) {
            block.begin();
            for (int i = 0; i < block.size(); i++) {
              block.set(i, value);
            }
            block.publish();
            Thread.onSpinWait();
          }
        });
    writer.start();
    try {
      long last = 0;
      for (int i = 0; i < 200_000; i++) {
        long[] values = block.read();
        assertThat(values[0]).isGreaterThanOrEqualTo(last);
        last = values[0];
        for (long value : values) {
          if (value != last) {
            assertThat(values).containsOnly(last);
          }
        }
      }
    } finally {
      isDone.set(true);
      writer.join();
    }
  }
}
