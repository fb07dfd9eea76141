package io.linerate.bench.calls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallRunTest {
  @Test
  void shouldCountWhatWasSentBetweenTwoAnswers() {
    CallRun run = CallRun.of("1000 10 500", "3000 110 2000000500", "2000 1500 12.5 40.0 99.0\n");
    assertThat(run).isEqualTo(new CallRun(1, 0.05, 12.5, 40, 0.25));
  }

  @Test
  void shouldSayNothingOfNoPackets() {
    CallRun run = CallRun.of("5 5 5", "5 5 6", "0 0 0.0 0.0 0.0");
    assertThat(run).isEqualTo(new CallRun(0, 0, 0, 0, 0));
  }
}
