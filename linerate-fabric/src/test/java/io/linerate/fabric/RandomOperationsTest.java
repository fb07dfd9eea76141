package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.testkit.Soak;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program does wrong is refused, whatever it has done before: nothing ends the process. */
class RandomOperationsTest {
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  @Tag("sampled")
  void shouldRefuseOrDoWhateverIsCalled(String provider) {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    int times = Soak.times(20_000, 1_000_000);
    long seed = Soak.seed(provider.hashCode());
    try (RandomCalls calls = new RandomCalls(provider, seed)) {
      for (int i = 0; i < times; i++) {
        calls.step();
        if (i % 100 == 0) {
          calls.requireConsistent();
        }
      }
      assertThat(calls.made).as("calls that were not refused").isGreaterThan(times / 4);
      assertThat(calls.refused).as("calls that were refused").isGreaterThan(times / 20);
      assertThat(calls.completed).as("completions").isGreaterThan(times / 400);
    }
  }
}
