package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.Soak;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Long work says on a terminal how far it is. */
class ProgressRunTest {
  private static final Pattern BAR =
      Pattern.compile("linerate: .*\\[#*\\.*] +[0-9]{1,3} %(, [0-9:]+ (s|min) left)?.*");

  @TempDir Path folder;

  private static Terminal run(String... arguments) throws Exception {
    List<Object> all = new ArrayList<>(List.of(Main.class.getName()));
    all.addAll(List.of(arguments));
    return new Terminal(30, 160, Map.of(), ChildJvm.command(all.toArray()));
  }

  static Stream<String> commands() {
    return Stream.of(
            "capture --port FILE,loop=forever,pace=recorded --packets 2000 --json",
            "capture --port FILE,loop=300,pace=recorded --json",
            "capture --port FILE,loop=forever,pace=recorded --duration 2s --json",
            "generate --port pcap:tx=/dev/null --rate 100pps --packets 200 --json",
            "generate --port pcap:tx=/dev/null --rate 100pps --duration 2s --json",
            "measure --throughput --tx ring:w,loopback --rx ring:w,loopback --sizes 64 --trial 1s --line 1Mbps --json")
        .skip(Soak.times(3, 0));
  }

  @ParameterizedTest
  @MethodSource("commands")
  @Tag("sampled")
  void shouldShowABarThatGoesAway(String command) throws Exception {
    // Packets that are 1 ms apart.
    Path capture =
        PcapFile.write(folder.resolve("in.pcap"), Collections.nCopies(10, Frame.udp(1, 64)));
    String words = command.replace("FILE", "pcap:rx=" + capture);
    try (Terminal terminal = run(words.split(" ", -1))) {
      terminal.await(rows -> rows.stream().anyMatch(row -> BAR.matcher(row).matches()));
      if (command.startsWith("measure")) {
        terminal.terminate();
      }
      assertThat(terminal.end()).startsWith("status ");
      assertThat(terminal.rows()).noneMatch(row -> row.contains(" %,") && row.contains("[#"));
    }
  }

  @Test
  void shouldWriteNoBarElsewhere() {
    Run run =
        Run.of("generate", "--port", "pcap:tx=/dev/null", "--rate", "100pps", "--duration", "1s");
    assertThat(run.status()).isZero();
    assertThat(run.err()).doesNotContain("[", "%");
  }
}
