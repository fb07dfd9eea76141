package io.linerate.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.StringReader;
import org.junit.jupiter.api.Test;

class MeterRunTest {
  @Test
  void shouldReadWhatTheMeterSays() throws Exception {
    MeterRun run = read("1000 990 0 500000000 70000 1200\n800 980\n70000 10\nend\n");
    assertThat(run.sent() - run.received()).isEqualTo(10);
    assertThat(run.receivedPps()).isEqualTo(1_980);
    assertThat(run.delaysNs().getTotalCount()).isEqualTo(990);
    assertThat(run.delaysNs().getValueAtPercentile(50)).isEqualTo(800);
    assertThat(run.delaysNs().getValueAtPercentile(99.9)).isBetween(69_900L, 70_100L);
  }

  @Test
  void shouldSayThatTheMeterEnded() {
    assertThatThrownBy(() -> read("")).hasMessageContaining("meter ended early");
    assertThatThrownBy(() -> read("1 1 0 1 1 1\n5 1\n")).hasMessageContaining("meter ended early");
  }

  private static MeterRun read(String answer) throws Exception {
    return MeterRun.read(new BufferedReader(new StringReader(answer)));
  }
}
