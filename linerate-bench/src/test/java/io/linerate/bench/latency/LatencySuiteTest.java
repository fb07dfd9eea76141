package io.linerate.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.bench.suite.RecordingSession;
import io.linerate.bench.suite.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short runs: that frames come back as they should, not how soon. */
@Tag("soak")
class LatencySuiteTest {
  private static final int MIN_HUGE_PAGES = 320;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "skipped: needs root");
    RecordingSession.requireTwin("meter");
    RecordingSession.requireTwin("firewall");
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
    RecordingSession session = new RecordingSession(folder, "10 kpps");
    new LatencySuite().run(session);
    Result result = session.results().get("10 kpps");
    assertThat(session.results()).hasSize(1);
    assertThat(result.contestants()).containsOnlyKeys("java", "c");
    assertThat(result.contestants().get("java").samples()).hasSize(session.jvms());
    assertThat(result.contestants().get("c").min()).isPositive();
    assertThat(result.figures()).containsKeys("java median", "c 99.9 %", "java worst");
    assertThat(result.notes()).hasSize(2).allMatch(note -> note.startsWith("stalls of "));
    assertThat(session.charts()).hasSize(1);
  }
}
