package io.linerate.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.driver.ThreadCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

final class WakeUpTest {
  private static final long CENTURY_S = 3_000_000_000L;

  private final WakeUp wakeUp = new WakeUp();

  @Test
  void shouldKeepFromASleepWhoeverWasCalledBefore() {
    wakeUp.run();
    assertThat(wakeUp.begin()).isFalse();
    assertThat(wakeUp.begin()).as("told of it once").isTrue();
    wakeUp.end(false);
    wakeUp.close();
  }

  @Test
  void shouldEndASleepThatHasBegun() throws InterruptedException {
    for (int i = 0; i < 200; i++) {
      Thread other = Thread.ofPlatform().start(wakeUp);
      if (wakeUp.begin()) {
        assertThat(poll(CENTURY_S)).isEqualTo(1);
        wakeUp.end(true);
      }
      other.join();
      if (poll(0)
          == 1) { // It was called when the sleep had ended, which a sleep knows how to take.
        wakeUp.end(true);
      }
    }
    wakeUp.close();
  }

  @Test
  void shouldTakeCallsWhenItIsClosed() {
    assertThat(wakeUp.begin()).isTrue();
    wakeUp.close();
    wakeUp.run();
    assertThat(wakeUp.descriptor()).isNegative();
  }

  private int poll(long timeoutS) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment wait = arena.allocate(8, 8); // struct pollfd
      wait.set(ValueLayout.JAVA_INT, 0, wakeUp.descriptor());
      wait.set(ValueLayout.JAVA_SHORT, 4, (short) 1);
      long timeout = arena.allocateFrom(ValueLayout.JAVA_LONG, timeoutS, 0).address();
      return ThreadCalls.ppoll(wait.address(), 1, timeout);
    }
  }
}
