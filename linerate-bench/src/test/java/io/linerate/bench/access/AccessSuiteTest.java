package io.linerate.bench.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.bench.suite.RecordingSession;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AccessSuiteTest {
  private static final int PACKETS = 3_200;

  @TempDir Path folder;

  @BeforeEach
  void requireLibrary() {
    System.setProperty(
        AccessLibrary.PROPERTY, RecordingSession.requireTwin("access.so").toString());
  }

  @ParameterizedTest
  @EnumSource
  void shouldLeaveTheBytesThatCLeaves(Contender contender) {
    Contender c = contender.isBurst() ? Contender.C_BURST : Contender.C;
    assertThat(contender.technique().run(PACKETS)).isEqualTo(c.technique().run(PACKETS));
  }

  @Test
  void shouldTellOtherWorkFromTheSame() {
    assertThat(Contender.PACKET.technique().run(PACKETS))
        .isNotEqualTo(Contender.PACKET.technique().run(PACKETS + 1));
  }

  @Test
  void shouldMeasureThePacketsOfBursts() throws Exception {
    RecordingSession session = new RecordingSession(folder, "bursts of 32");
    new AccessSuite().run(session);
    assertThat(session.results())
        .containsOnlyKeys(
            Contender.PACKET_BURST.title(),
            Contender.PACKET_BURST_UNCHECKED.title(),
            Contender.C_BURST.title());
    assertThat(session.results().get(Contender.PACKET_BURST.title()).contestants())
        .allSatisfy((who, ns) -> assertThat(ns.median()).isBetween(0.5, 100_000.0));
    assertThat(session.charts()).hasSize(1);
  }
}
