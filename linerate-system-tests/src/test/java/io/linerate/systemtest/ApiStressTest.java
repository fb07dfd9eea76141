package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** In a virtual machine of its own, which must not die. */
class ApiStressTest {
  private static final Path CAPTURE =
      Path.of("../examples/captures/mixed.pcapng").toAbsolutePath().normalize();

  @Test
  void shouldKeepTheLawWhateverHandlersCall() {
    String said = Command.run(stress(1, 1_000_000));
    assertThat(said).contains("conserved=true", "clean=true");
  }

  private static String[] stress(long seed, long calls) {
    return Command.java(
            ApiStress.class, String.valueOf(seed), String.valueOf(calls), CAPTURE.toString())
        .toArray(String[]::new);
  }
}
