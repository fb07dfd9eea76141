package io.linerate.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.testkit.Soak;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MalformedComparisonTest {
  /** Of each packet of each capture. */
  private static final int MUTATIONS = Soak.times(12, 200);

  private static final int CUTS = Soak.times(6, 50);

  /** Of all that tshark marks; docs/tshark.md says what the rest is. */
  private static final double LEAST_SHARE = 0.98;

  /** Layers that are marked only here, for each packet; docs/tshark.md says which they are. */
  private static final double MOST_MORE = 0.09;

  @BeforeAll
  static void asksTshark() {
    boolean isThere =
        Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "tshark")));
    assumeTrue(isThere, "tshark is not installed");
  }

  @Test
  @Tag("sampled")
  void shouldMarkWhatTsharkMarksAtTheSameLayer(@TempDir Path folder) throws IOException {
    var comparison = new MalformedComparison(folder, Protocols.standard(), MUTATIONS, CUTS);
    for (Path capture : DecoderTest.captures()) {
      comparison.add(capture, Soak.seed(3));
    }
    comparison.run();
    assertThat(comparison.marked()).isGreaterThan(comparison.packets() / 5);
    assertThat((double) comparison.agreed() / comparison.marked())
        .as(comparison::table)
        .isGreaterThanOrEqualTo(LEAST_SHARE);
    assertThat((double) comparison.more().size() / comparison.packets())
        .as(comparison::table)
        .isLessThanOrEqualTo(MOST_MORE);
  }
}
