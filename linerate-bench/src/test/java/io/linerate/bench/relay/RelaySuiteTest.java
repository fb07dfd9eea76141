package io.linerate.bench.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.bench.suite.RecordingSession;
import io.linerate.bench.suite.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RelaySuiteTest {
  @TempDir Path folder;

  @Test
  void shouldMeasureRoundTripsThroughAllTranslators() {
    assumeTrue("root".equals(System.getProperty("user.name")), "skipped: needs root");
    Path _ = RecordingSession.requireTwin("linux-echo");
    RecordingSession session = new RecordingSession(folder, "");
    new RelaySuite().run(session);
    assumeTrue(session.skipped().isEmpty(), "skipped: " + session.skipped());
    assertThat(session.results())
        .containsOnlyKeys("round trip of 74 B, median", "round trip of 74 B, 99th percentile");
    Result median = session.results().get("round trip of 74 B, median");
    assertThat(median.contestants()).containsOnlyKeys("java", "java-xdp", "sockets", "kernel");
    assertThat(median.contestants().values())
        .allSatisfy(us -> assertThat(us.median()).isPositive());
    assertThat(median.notes()).as("lost").isEmpty();
  }
}
