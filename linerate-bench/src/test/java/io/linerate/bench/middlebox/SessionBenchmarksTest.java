package io.linerate.bench.middlebox;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.bench.duel.DuelRunner;
import io.linerate.bench.duel.Match;
import io.linerate.bench.suite.RecordingSession;
import io.linerate.bench.suite.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What knows connections, beside its twins: both do the same, and Java makes no objects. */
class SessionBenchmarksTest {
  @TempDir Path folder;

  private RecordingSession session(String twin) throws IOException {
    RecordingSession.requireLab(twin);
    return new RecordingSession(folder, "");
  }

  private static String check(RecordingSession session, Match match, List<byte[]> frames) {
    new DuelRunner(session, match.program()).check(match, frames);
    return session.said().getFirst();
  }

  @Test
  void shouldPassTheSamePacketsOfConnections() throws IOException {
    RecordingSession session = session("track");
    Match match = TrackBenchmark.checked(session);
    assertThat(match.twins()).containsOnlyKeys("c", "c-rte_hash");
    assertThat(check(session, match, TrackBenchmark.checkFrames()))
        .containsPattern("received=4609, sent=[23][0-9]{3}, dropped=1[0-9]{3}, ");
  }

  @Test
  void shouldTranslateTheSamePackets() throws IOException {
    RecordingSession session = session("nat");
    assertThat(check(session, NatBenchmark.checked(session), NatBenchmark.checkFrames()))
        .containsPattern("received=3073, sent=2[0-9]{3}, dropped=[0-9]{3}, ");
  }

  @Test
  void shouldSpreadTheSameTranslatedPacketsOverBackends() throws IOException {
    spread("translate");
  }

  @Test
  @Tag("soak")
  void shouldSpreadTheSamePacketsOverBackendsDirectly() throws IOException {
    spread("direct");
  }

  private void spread(String mode) throws IOException {
    RecordingSession session = session("balance");
    Match match = BalanceBenchmark.match(session, new BalanceBenchmark.Case(mode, 512), 512);
    assertThat(check(session, match, BalanceBenchmark.checkFrames()))
        .contains("received=2561, sent=2486, dropped=75, ");
  }

  @Test
  @Tag("soak")
  void shouldHoldAsManySessionsAsItWasMadeFor() throws IOException, InterruptedException {
    RecordingSession session = session("nat");
    SetupRow row = new SetupRow(session);
    row.run(12_000);
    Result result = session.results().get(row.title());
    assertThat(result.figures().get("held")).isEqualTo(65_536.0);
    assertThat(result.figures().get("removed, Msessions/s")).isPositive();
    assertThat(result.contestants()).containsOnlyKeys("java", "c");
  }

  @Test
  @Tag("soak")
  void shouldTranslateWithoutMakingObjects() throws IOException {
    RecordingSession session = session("nat");
    Result result =
        new DuelRunner(session, "nat")
            .fight(NatBenchmark.match(session, 1_000), 6_000, _ -> {})
            .orElseThrow();
    assertThat(result.heapBytesPerPacket().orElseThrow()).isLessThan(1);
    assertThat(result.contestants().get(Match.JAVA).median()).isPositive();
  }
}
