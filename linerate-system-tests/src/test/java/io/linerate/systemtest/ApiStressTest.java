package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.Soak;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In a virtual machine of its own, which must not die. */
class ApiStressTest {
  private static final Path CAPTURE =
      Path.of("../examples/captures/mixed.pcapng").toAbsolutePath().normalize();

  @Test
  @Tag("sampled")
  void shouldKeepTheLawWhateverHandlersCall() {
    int runs = Soak.times(1, 50);
    for (int run = 1; run <= runs; run++) {
      String said = Command.run(stress(Soak.seed(run), 1_000_000));
      assertThat(said).contains("conserved=true", "clean=true");
    }
  }

  private static String[] stress(long seed, long calls) {
    return Command.java(
            ApiStress.class, String.valueOf(seed), String.valueOf(calls), CAPTURE.toString())
        .toArray(String[]::new);
  }
}
