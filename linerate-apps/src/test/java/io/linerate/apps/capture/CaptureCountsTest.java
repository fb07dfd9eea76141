package io.linerate.apps.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.DropReason;
import java.util.List;
import org.junit.jupiter.api.Test;

class CaptureCountsTest {
  private final CaptureCounts counts = new CaptureCounts();

  /** No worker runs that could be asked: what is said is what was counted. */
  @Test
  void shouldSayWhatAllHaveCountedWithoutAskingThem() {
    CaptureHandler first = counts.newHandler(true, burst -> burst.dropAll(DropReason.CONSUMED));
    CaptureHandler second = counts.newHandler(true, burst -> burst.dropAll(DropReason.CONSUMED));
    first.sizes().add(64);
    second.sizes().add(64);
    second.sizes().add(1_500);
    List<String> samples =
        counts.samples().stream()
            .filter(sample -> sample.value() > 0)
            .map(Object::toString)
            .toList();

    assertThat(samples)
        .containsExactly(
            "linerate_frame_packets_total{from=\"64\",to=\"64\"} 2",
            "linerate_frame_packets_total{from=\"1024\",to=\"1518\"} 1");
  }
}
