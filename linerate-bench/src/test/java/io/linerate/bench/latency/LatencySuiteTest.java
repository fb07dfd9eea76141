package io.linerate.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.bench.suite.RecordingSession;
import io.linerate.bench.suite.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short runs: that frames come back as they should, not how soon. */
class LatencySuiteTest {
  private static final int MIN_HUGE_PAGES = 160;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "skipped: needs root");
    RecordingSession.requireTwin("latency-meter");
    RecordingSession.requireTwin("latency-forwarder");
    String free =
        Files.readAllLines(Path.of("/proc/meminfo")).stream()
            .filter(line -> line.startsWith("HugePages_Free:"))
            .findFirst()
            .orElse("HugePages_Free: 0");
    assumeTrue(
        Integer.parseInt(free.replaceAll("\\D", "")) >= MIN_HUGE_PAGES,
        "skipped: needs " + MIN_HUGE_PAGES + " free huge pages of 2 MiB");
  }

  @Test
  void shouldMeasureJavaBesideC() throws Exception {
    Load load = new Load("slow", 10_000, 0);
    for (Contestant one : List.of(Contestant.C, Contestant.SERIAL)) {
      RecordingSession session = new RecordingSession(folder, "");
      try (Measurement measurement = new Measurement(session, one)) {
        measurement.warmUp(200);
        Map<Load, List<MeterRun>> runs = measurement.measure(List.of(load), 0, 3, 200);
        assertThat(runs.get(load)).isNotEmpty();
        MeterRun run = runs.get(load).getFirst();
        assertThat(run.received()).isPositive().isLessThanOrEqualTo(run.sent());
        assertThat(run.delaysNs().getTotalCount()).isEqualTo(run.received());
        assertThat(run.worstNs()).isGreaterThanOrEqualTo(run.delaysNs().getMinValue());
      }
    }
  }

  @Test
  void shouldMeasureTheMaximumOfBoth() throws Exception {
    RecordingSession session = new RecordingSession(folder, "no load at all");
    new LatencySuite().run(session);
    Result maximum = session.results().get("maximum");
    assertThat(maximum.contestants()).containsOnlyKeys("java", "c");
    assertThat(maximum.contestants().get("java").median()).isPositive();
  }
}
