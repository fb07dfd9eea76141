package io.linerate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SoakTest {
  private final String soak = System.getProperty("linerate.soak", "false");
  private final String seed = System.getProperty("linerate.test.seed", "0");

  private static void run(String isSoak, String seed) {
    System.setProperty("linerate.soak", isSoak);
    System.setProperty("linerate.test.seed", seed);
  }

  @AfterEach
  void putBack() {
    run(soak, seed);
  }

  @Test
  void shouldTakeTheSameSampleInEveryRun() {
    run("false", "0");
    assertThat(Soak.times(10, 1_000)).isEqualTo(10);
    assertThat(Soak.seed(1624)).isEqualTo(1624);
  }

  @Test
  void shouldDoTheWholeFromAnotherSeedForEachTestAndEachRun() {
    Set<Long> seeds = new HashSet<>();
    for (int one = 1; one <= 100; one++) {
      run("true", String.valueOf(one));
      for (int own = 1; own <= 100; own++) {
        seeds.add(Soak.seed(own));
      }
    }
    assertThat(Soak.times(10, 1_000)).isEqualTo(1_000);
    assertThat(seeds).hasSize(10_000);
  }
}
