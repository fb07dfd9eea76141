package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.Soak;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In a virtual machine of its own, which must not die. */
class ApiStressTest {
  private static final Path CAPTURE =
      Path.of("../examples/captures/mixed.pcapng").toAbsolutePath().normalize();

  @Test
  @Tag("sampled")
  void shouldKeepTheLawWhateverHandlersAndElementsCall() {
    int runs = Soak.times(1, 10);
    for (int run = 1; run <= runs; run++) {
      assertThat(stress(run, Soak.times(200_000, 1_000_000)))
          .contains("conserved=true", "clean=true");
    }
  }

  @Test
  @Tag("sampled")
  void shouldLiveWhateverIsCalledWithoutStack() {
    int runs = Soak.times(1, 10);
    for (int run = 1; run <= runs; run++) {
      assertThat(stress(run, 100_000, "deep")).contains("calls=");
    }
  }

  /** The first compiler inlines least, so that the stack can end in most places. */
  @Test
  @Tag("sampled")
  void shouldReadNoOtherMemoryWhereverTheStackEnds() {
    List<String> words =
        Command.java(
            StackEnds.class,
            "pcap:rx=" + CAPTURE + ",loop=forever",
            "" + Soak.times(3_000, 60_000));
    words.addAll(1, List.of("-XX:TieredStopAtLevel=1", "-Xss512k"));
    assertThat(Command.run(words.toArray(String[]::new))).contains("outside=0 ");
  }

  private static String stress(int run, int calls, String... more) {
    List<String> words =
        Command.java(ApiStress.class, "" + Soak.seed(run), "" + calls, CAPTURE.toString());
    words.addAll(List.of(more));
    return Command.run(words.toArray(String[]::new));
  }
}
