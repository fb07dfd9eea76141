package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What shells and man are given, as they read it. */
class ShellTest {
  private static final long TIMEOUT_S = 60;

  @TempDir Path folder;

  /** What a program printed, errors included, and its exit status before it. */
  private String run(String... words) throws Exception {
    assumeTrue(
        Stream.of("/usr/bin/", "/bin/").anyMatch(bin -> Files.exists(Path.of(bin + words[0]))),
        () -> "no such program: " + words[0]);
    Process process =
        new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).isTrue();
    return process.exitValue() + " " + said;
  }

  private Path completion(String shell) throws IOException {
    Run run = Run.of("completion", shell);
    assertThat(run.status()).as(run.err()).isZero();
    return Files.writeString(folder.resolve("completion." + shell), run.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "linerate cap|capture",
        "linerate capture --snap|--snaplen",
        "linerate completion f|fish",
        "linerate firewall --dashboard-t|--dashboard-tls",
      })
  void shouldCompleteInBash(String typed, String completed) throws Exception {
    Path script = completion("bash");
    String[] words = typed.split(" ", -1);
    String list = "COMP_WORDS=(%s); COMP_CWORD=%d".formatted(typed, words.length - 1);
    String said =
        run(
            "bash",
            "--norc",
            "-c",
            "source %s; %s; _complete_linerate; printf '%%s\\n' \"${COMPREPLY[@]}\""
                .formatted(script, list));
    assertThat(said.lines().map(line -> line.replaceFirst("^0 ", "").strip())).contains(completed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "linerate cap|capture",
        "linerate capture --snap|--snaplen",
        "linerate completion f|fish",
        "'linerate generate --ip '|4",
        "linerate firewall ex|example.properties",
        "linerate capture --write ex|example.properties",
      })
  void shouldCompleteInFish(String typed, String completed) throws Exception {
    Files.createFile(folder.resolve("example.properties"));
    Path script = completion("fish");
    String said =
        run(
            "env",
            "HOME=" + folder,
            "fish",
            "--no-config",
            "-c",
            "source %s; complete -C '%s'".formatted(script, typed));
    assertThat(said.lines().map(line -> line.replaceFirst("^0 ", "").replaceFirst("\t.*", "")))
        .contains(completed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "linerate cap|linerate capture",
        "linerate capture --snap|linerate capture --snaplen",
        "linerate completion f|linerate completion fish",
        "linerate firewall ex|linerate firewall example.properties",
      })
  void shouldCompleteInZsh(String typed, String completed) throws Exception {
    Files.createFile(folder.resolve("example.properties"));
    Path script = completion("zsh");
    Path keys =
        Files.writeString(
            folder.resolve("keys.zsh"),
            """
            zmodload zsh/zpty
            zpty shell "TERM=dumb zsh -f -i"
            zpty -w shell "unsetopt zle_bracketed_paste; cd %s; autoload -Uz compinit; compinit -u -D; source %s; bindkey '^I' complete-word; echo READY-\\$((1+1))"
            zpty -r shell line '*READY-2*'
            zpty -w -n shell $'%s\\t'
            sleep 1
            zpty -w -n shell $'\\x01echo TYPED \\x05 :END\\n'
            zpty -r shell line '*TYPED linerate*:END'
            print -r -- $line
            zpty -d shell
            """
                .formatted(folder, script, typed));
    String said = run("env", "HOME=" + folder, "timeout", "30", "zsh", "-f", keys.toString());
    assertThat(said).contains(completed + " ");
  }

  @Test
  void shouldHaveAManualPageOfEachCommandThatManReads() throws Exception {
    Path pages = folder.resolve("man1");
    assertThat(Run.of("man", "--to", pages).status()).isZero();
    List<Path> files;
    try (Stream<Path> all = Files.list(pages)) {
      files = all.sorted().toList();
    }
    assertThat(files).contains(pages.resolve("linerate.1"), pages.resolve("linerate-capture.1"));
    for (Path file : files) {
      String said = run("man", "--warnings", "-l", file.toString());
      assertThat(said)
          .startsWith("0 ")
          .doesNotContain("warning")
          .contains("NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "--help");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"completion tcsh", "man captre", "help captre"})
  void shouldNameWhatThereIs(String arguments) {
    Run run = Run.of((Object[]) arguments.split(" ", -1));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("linerate: no such ").contains("; there are ").hasLineCount(1);
  }

  @Test
  void shouldHelpAndTellTheVersionByWordsAndOptions() {
    assertThat(Run.of("help", "capture").out()).isEqualTo(Run.of("capture", "--help").out());
    assertThat(Run.of("help").out()).isEqualTo(Run.of("--help").out());
    assertThat(Run.of("version").out()).isEqualTo(Run.of("--version").out());
    for (String command : List.of("capture", "ctl", "doctor", "top")) {
      assertThat(Run.of(command, "--version").out()).matches("\\w+ [0-9].*\n");
    }
  }
}
