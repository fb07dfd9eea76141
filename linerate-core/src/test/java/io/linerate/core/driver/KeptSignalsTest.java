package io.linerate.core.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;

class KeptSignalsTest {
  private static final int SIGTRAP = 5;
  private static final long IGNORED = 1;

  @Test
  void shouldPutBackTheHandlersThatWereReplaced() {
    MethodHandle signal = CFunction.plain("signal");
    long before = KeptSignals.handler(SIGTRAP);
    long inside =
        KeptSignals.during(() -> {
          long _ = CFunction.call(signal, SIGTRAP, IGNORED);
          return KeptSignals.handler(SIGTRAP);
        });
    assertThat(inside).isEqualTo(IGNORED).isNotEqualTo(before);
    assertThat(KeptSignals.handler(SIGTRAP)).isEqualTo(before);
  }

  @Test
  void shouldPutThemBackWhenTheWorkFails() {
    MethodHandle signal = CFunction.plain("signal");
    long before = KeptSignals.handler(SIGTRAP);
    try {
      KeptSignals.during(() -> {
        long _ = CFunction.call(signal, SIGTRAP, IGNORED);
        throw new IllegalStateException("on purpose");
      });
    } catch (IllegalStateException expected) {
      assertThat(expected).hasMessage("on purpose");
    }
    assertThat(KeptSignals.handler(SIGTRAP)).isEqualTo(before);
  }
}
