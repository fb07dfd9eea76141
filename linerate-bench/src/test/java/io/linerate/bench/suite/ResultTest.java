package io.linerate.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResultTest {
  /** Three pairs of each of three JVMs, one of which is slow, and one pair of another was hit. */
  private static Result.Builder pairs() {
    return Result.of("capture", "one", "Mpps")
        .contestant("java", new Spread(10, 10, 10, 7, 8, 9, 10, 2, 11))
        .contestant("c", new Spread(10, 10, 10, 10, 10, 10, 10, 10, 10));
  }

  @Test
  void shouldTakeOneRatioOfEachJvm() {
    Result result = pairs().ratio("java", "c", 3).build();
    assertThat(result.jvms()).isEqualTo(3);
    assertThat(result.ratio().orElseThrow().samples()).containsExactly(1, 0.8, 1);
    assertThat(result.ratioText()).contains("1.000 (0.800 to 1.000 over 3 JVMs, 20.0 %)");
  }

  @Test
  void shouldTakeTheRatioOfEachPairOfOneJvm() {
    Result result = pairs().ratio("java", "c", 1).build();
    assertThat(result.jvms()).isEqualTo(1);
    assertThat(result.ratio().orElseThrow().samples()).hasSize(9);
    assertThat(result.ratioText()).contains("1.000 (0.200 to 1.100)");
  }
}
