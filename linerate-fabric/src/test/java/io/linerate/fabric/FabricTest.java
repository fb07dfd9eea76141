package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FabricTest {
  /** What this JVM has initialised would hide it: another one is asked each. */
  @ParameterizedTest
  @CsvSource({"version, \\d+\\.\\d+", "problem, ''", "providers, [1-9]\\d*"})
  void shouldAnswerWhateverIsCalledFirst(String call, String answer) {
    assumeThat(Fabric.problem()).isEmpty();

    try (OtherProgram program = OtherProgram.start(FirstCallProgram.class, call)) {
      assertThat(program.hear("returned")).matches(answer);
    }
  }
}
