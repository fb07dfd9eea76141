package io.linerate.core.counter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import org.junit.jupiter.api.Test;

class DeoptimisationsTest {
  private static List<Recording> running() {
    return FlightRecorder.getFlightRecorder().getRecordings().stream()
        .filter(recording -> recording.getState() == RecordingState.RUNNING)
        .toList();
  }

  @Test
  void shouldCountOnlyWhileSomebodyRecords() {
    try (Deoptimisations counted = new Deoptimisations();
        Deoptimisations ofAnotherEngine = new Deoptimisations()) {
      for (int round = 0; round < 2; round++) {
        try (Recording recording = new Recording()) {
          recording.start();
          counted.update();
          ofAnotherEngine.update();
          assertThat(counted.hasCounted()).isTrue();
          assertThat(running()).hasSize(3);
        }
        counted.update();
        ofAnotherEngine.update();
        assertThat(running()).isEmpty();
        assertThat(counted.hasCounted()).as("its number stays").isTrue();
      }
    }
  }
}
