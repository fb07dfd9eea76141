package io.linerate.bench.middlebox;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.bench.duel.DuelRunner;
import io.linerate.bench.duel.Match;
import io.linerate.bench.firewall.Sources;
import io.linerate.bench.suite.RecordingSession;
import io.linerate.bench.suite.Result;
import io.linerate.wire.IpPrefix;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RouteBenchmarkTest {
  @TempDir Path folder;

  @Test
  @Tag("soak")
  void shouldRouteTheSamePacketsOfIpv4ByAllTables() throws IOException {
    route(4);
  }

  @Test
  void shouldRouteTheSamePacketsOfIpv6ByAllTables() throws IOException {
    route(6);
  }

  private void route(int ipVersion) throws IOException {
    RecordingSession.requireLab("route");
    RecordingSession session = new RecordingSession(folder, "");
    RouteBenchmark.Case one = new RouteBenchmark.Case(ipVersion, 1_000, Sources.ANY_RULE);
    Match match = RouteBenchmark.match(session, one, 1_024);
    new DuelRunner(session, "route").check(match, RouteBenchmark.checkFrames(one));
    assertThat(match.twins()).containsOnlyKeys("c", "c-lpm", "c-usual");
    assertThat(session.said().getFirst())
        .containsPattern("received=9060, sent=3[0-9]{3}, dropped=[56][0-9]{3}, ");
  }

  @Test
  @Tag("soak")
  void shouldRouteWithoutMakingObjects() throws IOException {
    RecordingSession.requireLab("route");
    RecordingSession session = new RecordingSession(folder, "");
    RouteBenchmark.Case one = new RouteBenchmark.Case(4, 1_000, Sources.ZIPF);
    Result result =
        new DuelRunner(session, "route")
            .fight(RouteBenchmark.match(session, one, 1_024), 6_000, _ -> {})
            .orElseThrow();
    assertThat(result.heapBytesPerPacket().orElseThrow()).isLessThan(1);
    assertThat(result.contestants().get(Match.JAVA).median()).isPositive();
  }

  /** Those that BGP has most of; what is longer than 24 bits costs a second look. */
  @Test
  void shouldMakeTablesAsRoutersHaveThem() {
    List<IpPrefix> prefixes =
        RouteTables.of(4, 10_000).stream().map(RouteTables.Line::prefix).toList();
    assertThat(prefixes).doesNotHaveDuplicates().hasSize(10_000);
    assertThat(prefixes.stream().filter(prefix -> prefix.bits() == 24).count())
        .isBetween(5_700L, 6_300L);
    assertThat(prefixes.stream().filter(prefix -> prefix.bits() > 24).count())
        .isBetween(150L, 250L);
    assertThat(RouteTables.of(6, 1_000)).isEqualTo(RouteTables.of(6, 1_000));
  }
}
