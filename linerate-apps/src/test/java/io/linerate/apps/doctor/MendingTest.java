package io.linerate.apps.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.ConfigException;
import io.linerate.program.run.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MendingTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final PrintStream err = new PrintStream(said, true, StandardCharsets.UTF_8);
  private final Console console = new Console("linerate", err, err);

  private static Finding missing(String... command) {
    return Finding.missing("thing", "not there", "make it").fixedBy("rm it", command);
  }

  @Test
  void shouldMendWhatCanBeAndSayHowToTakeItBack() {
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root");
    Path made = folder.resolve("a b;c");
    List<Finding> findings =
        List.of(
            Finding.ok("fine", "yes").fixedBy("", "false"),
            missing("touch", made.toString()),
            missing("ls", folder.resolve("nowhere").toString()),
            Finding.missing("other", "no", "by hand"));
    new Mending(console, true).run(findings);
    assertThat(made).exists();
    assertThat(said.toString(StandardCharsets.UTF_8).lines())
        .satisfiesExactly(
            line -> assertThat(line).endsWith("thing: not there; touch '" + made + "'"),
            line -> assertThat(line).isEqualTo("linerate: mended; to take it back: rm it"),
            line -> assertThat(line).contains("thing: not there; ls "),
            line ->
                assertThat(line)
                    .contains("cannot mend it: command=ls ", "No such file", "; run it by hand"));
  }

  @Test
  void shouldWriteCommandsSoThatAShellTakesEachWord() throws Exception {
    for (String word : List.of("eth0", "e;reboot", "a b", "it's", "$(id)", "")) {
      Process shell = new ProcessBuilder("sh", "-c", "printf %s " + Fix.quoted(word)).start();
      assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(word);
    }
  }

  @Test
  void shouldAskSomebodyBefore() {
    assumeFalse(Console.isTerminal(0), "standard input is a terminal");
    assertThatThrownBy(() -> new Mending(console, false).run(List.of(missing("false"))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("add --yes");
    new Mending(console, false).run(List.of(Finding.ok("fine", "yes")));
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("nothing that can be mended");
  }
}
