package io.linerate.bench.language;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.bench.suite.RecordingSession;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LanguageSuiteTest {
  private static final int PACKETS = 1_000;

  @TempDir Path folder;

  @BeforeEach
  void requireLibrary() {
    System.setProperty(
        LanguageLibrary.PROPERTY, RecordingSession.requireTwin("language.so").toString());
  }

  /** The first numbers after Marsaglia's own seed. */
  @Test
  void shouldHaveTheNumbersOfThePaper() {
    XorShift random = new XorShift();
    assertThat(random.nextInt()).isEqualTo(723_471_715);
    assertThat(random.nextInt()).isEqualTo((int) 2_497_366_906L);
  }

  @ParameterizedTest
  @EnumSource
  void shouldComeToTheResultsOfC(Language language) {
    assertThat(language.program().run(PACKETS)).isEqualTo(Language.C.program().run(PACKETS));
  }

  @Test
  void shouldMeasureJavaBesideC() throws Exception {
    RecordingSession session = new RecordingSession(folder, "Java through FFM");
    new LanguageSuite().run(session);
    assertThat(session.results()).hasSize(3);
    assertThat(session.results().get(Language.FFM.title()).contestants().get("java").median())
        .isBetween(1.0, 100_000.0);
  }
}
