package io.linerate.core.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SampleTest {
  private static final Sample BUSY =
      new Sample(
          "linerate_worker_busy_seconds_total",
          List.of(new Label("worker", "0")),
          SampleKind.COUNTER,
          SampleUnit.NANOSECONDS,
          1_000_000_001L);

  @Test
  void shouldWriteAValueExactlyInTheUnitOfItsName() {
    assertThat(BUSY).hasToString("linerate_worker_busy_seconds_total{worker=\"0\"} 1.000000001");
    assertThat(SampleUnit.PACKETS.inUnitOfName(Long.MAX_VALUE)).hasToString("9223372036854775807");
  }

  @Test
  void shouldFindALabel() {
    assertThat(BUSY.label("worker")).contains("0");
    assertThat(BUSY.label("port")).isEmpty();
  }

  @Test
  void shouldReadWhatItWroteWhateverALabelSays() {
    List<Label> labels =
        List.of(new Label("a", "x\"},\\\n{=\"y"), new Label("b", ""), new Label("c", "ü…\\n"));
    String text = SampleKey.text("linerate_x", labels);
    assertThat(text).doesNotContain("\n");
    assertThat(SampleKey.parse(text)).isEqualTo(new SampleKey("linerate_x", labels));
    assertThat(SampleKey.parse("linerate_y")).isEqualTo(new SampleKey("linerate_y", List.of()));
  }

  @Test
  void shouldRefuseEveryPartOfAKey() {
    String text = SampleKey.text("n", List.of(new Label("a", "1"), new Label("b", "\\2")));
    for (int length = 2; length < text.length(); length++) {
      String part = text.substring(0, length);
      assertThatThrownBy(() -> SampleKey.parse(part))
          .as(part)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(part);
    }
  }

  @Test
  void shouldWantAValueForEachLabel() {
    assertThatThrownBy(() -> ((SampleSink) sample -> {}).info("linerate_x", "label"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
