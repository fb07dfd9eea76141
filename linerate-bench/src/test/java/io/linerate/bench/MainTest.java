package io.linerate.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.program.run.Console;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  private static final class Run {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final ByteArrayOutputStream err = new ByteArrayOutputStream();
    final int status;

    Run(String... arguments) {
      status = Main.run(new Console("linerate", print(out), print(err)), arguments);
    }

    private static PrintStream print(ByteArrayOutputStream target) {
      return new PrintStream(target, true, StandardCharsets.UTF_8);
    }
  }

  @Test
  void shouldSayHowArchivedBenchmarksAreRun() {
    assertThat(said("--list"))
        .contains("\narchived, run each with linerate-bench/archive/run NAME:\naccess ")
        .containsOnlyOnce("crossing ");
    assertThat(refused("capture", "calls"))
        .isEqualTo(
            "linerate: benchmark is archived: name=calls; run linerate-bench/archive/run calls\n");
  }

  /** Standard error of a run that is to end with status 2. */
  private static String refused(String... arguments) {
    Run run = new Run(arguments);
    assertThat(run.status).isEqualTo(2);
    return run.err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void shouldRefuseWhatItDoesNotKnowInOneSentence() {
    assertThat(refused("capture", "speed"))
        .startsWith("linerate: no such benchmark: name=speed; known are capture, firewall, ")
        .hasLineCount(1);
    assertThat(refused("--cpu", "5000")).contains("no such CPU: cpu=5000").hasLineCount(1);
    assertThat(refused("--jvms", "0")).contains(", jvms=0; give 1 or more").hasLineCount(1);
    assertThat(refused("fabric", "--size", "abc"))
        .contains("'abc'", "; see ./linerate bench --help")
        .hasLineCount(1);
    assertThat(refused("--pairs", "0")).contains("nothing to run: pairs=0").hasLineCount(1);
  }

  /** Standard output of a run that ends well. */
  private static String said(String... arguments) {
    Run run = new Run(arguments);
    assertThat(run.status).isZero();
    return run.out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"list", "help"})
  void shouldSayWhatTheLauncherSaysWithoutABuild(String option) throws IOException {
    try (InputStream launchers = Main.class.getResourceAsStream(option + ".txt")) {
      assertThat(said("--" + option))
          .as("which belongs into %s.txt", option)
          .isEqualTo(new String(launchers.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
