package io.linerate.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.StringReader;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeterRunTest {
  @Test
  void shouldReadWhatTheMeterSays() throws Exception {
    MeterRun run =
        read("1000 990 0 500000000 150000 1200\n800 980\n150000 10\nstalls\n5000 160000 90\nend\n");
    assertThat(run.sent() - run.received()).isEqualTo(10);
    assertThat(run.delaysNs().getTotalCount()).isEqualTo(990);
    assertThat(run.delaysNs().getValueAtPercentile(50)).isEqualTo(800);
    assertThat(run.delaysNs().getValueAtPercentile(99.9)).isBetween(149_900L, 150_100L);
    assertThat(run.stalls()).containsExactly(new Stall(5_000, 160_000, 90));
  }

  @Test
  void shouldSayThatTheMeterEnded() {
    for (String answer : List.of("", "1 1 0 1 1 1\n5 1\n", "1 1 0 1 1 1\n5 1\nstalls\n")) {
      assertThatThrownBy(() -> read(answer)).hasMessageContaining("meter ended early");
    }
  }

  @Test
  void shouldSayThatTheMeterSaysSomethingElse() {
    assertThatThrownBy(() -> read("1 1 0\n")).hasMessageContaining("numbers=3, expected=6");
  }

  private static MeterRun read(String answer) throws Exception {
    return MeterRun.read(new BufferedReader(new StringReader(answer)));
  }
}
