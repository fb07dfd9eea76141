package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A standard output that takes nothing. */
class LostResultTest {
  private static final File FULL = new File("/dev/full");

  @TempDir Path folder;

  private static ProcessBuilder linerate(String... arguments) {
    List<Object> words = new ArrayList<>(List.of(Main.class.getName()));
    words.addAll(List.of(arguments));
    return new ProcessBuilder(ChildJvm.command(words.toArray()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "doctor", "capture --json", "capture", "generate"})
  void shouldFailWhenTheResultCannotBeWritten(String line) throws Exception {
    assumeTrue(FULL.exists(), "skipped: there is no " + FULL);
    Process process = linerate(arguments(line)).redirectOutput(FULL).start();
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(err)
        .containsOnlyOnce("linerate: cannot write the result: reason=No space left on device;");
  }

  private String[] arguments(String line) throws IOException {
    String[] words = line.split(" ");
    List<String> all = new ArrayList<>(List.of(words));
    switch (words[0]) {
      case "capture" -> {
        Path file = folder.resolve("in.pcap");
        Run.of("generate", "--port", "pcap:tx=" + file, "--packets", 3);
        all.addAll(List.of("--port", "pcap:rx=" + file));
      }
      case "generate" ->
          all.addAll(List.of("--port", "pcap:tx=" + folder.resolve("o.pcap"), "--packets", "3"));
      default -> {}
    }
    return all.toArray(String[]::new);
  }

  @Test
  void shouldNotMindAReaderThatHasSeenEnough() throws Exception {
    Process process = linerate("--help").start();
    process.getInputStream().close();
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    assertThat(err).isEmpty();
  }
}
