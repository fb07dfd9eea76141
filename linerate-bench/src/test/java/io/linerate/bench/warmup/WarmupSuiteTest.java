package io.linerate.bench.warmup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.bench.suite.RecordingSession;
import io.linerate.bench.suite.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmupSuiteTest {
  @TempDir Path folder;

  @Test
  void shouldWatchALongRun() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "skipped: needs root");
    RecordingSession.requireTwin("capture"); // So there is DPDK.
    RecordingSession session = new RecordingSession(folder, "a long run");
    new WarmupSuite().run(session);
    Result run = session.results().values().iterator().next();
    assertThat(run.contestants().get("java").median()).isPositive();
    assertThat(run.figures()).containsKeys("dips", "deoptimisations after warm-up");
    assertThat(session.charts()).hasSize(1);
  }
}
