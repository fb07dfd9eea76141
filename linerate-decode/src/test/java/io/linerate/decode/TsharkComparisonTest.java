package io.linerate.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.decode.TsharkComparison.Difference;
import io.linerate.decode.TsharkComparison.Options;
import io.linerate.testkit.Soak;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TsharkComparisonTest {
  private static final Path EXPLAINED = Path.of("../docs/tshark.md");
  private static @Nullable TsharkComparison comparison;

  /** What is not compared alone: it is equal together with others. In a soak all are. */
  private static Set<Path> equal = Set.of();

  @BeforeAll
  static void asksTshark(@TempDir Path folder) throws IOException {
    boolean isThere =
        Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "tshark")));
    assumeTrue(isThere, "tshark is not installed");
    comparison = new TsharkComparison(Protocols.standard());
    if (Soak.times(0, 1) == 1) {
      return;
    }
    List<Path> files = captures().stream().filter(file -> Options.of(file).isEmpty()).toList();
    equal = new HashSet<>(files);
    for (var differing : comparison.compareTogether(files, folder).entrySet()) {
      Path file = differing.getKey();
      if (!explained(file.getFileName().toString()).containsAll(differing.getValue())) {
        equal.remove(file);
      }
    }
    assertThat(equal).isNotEmpty();
  }

  static List<Path> captures() throws IOException {
    return DecoderTest.captures();
  }

  @ParameterizedTest
  @MethodSource("captures")
  @Tag("sampled")
  void shouldSayWhatTsharkSays(Path file) throws IOException {
    if (equal.contains(file)) {
      return;
    }
    Set<String> explained = explained(file.getFileName().toString());
    List<Difference> differences =
        comparison.compare(file).stream()
            .filter(difference -> !explained.contains(difference.field()))
            .toList();
    assertThat(differences).isEmpty();
  }

  /** Rows of the table in the documentation: capture, field, what differs and why. */
  private static Set<String> explained(String capture) throws IOException {
    return Files.readAllLines(EXPLAINED).stream()
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.split("`", -1))
        .filter(parts -> parts.length > 4 && (parts[1].equals(capture) || parts[1].equals("*")))
        .map(parts -> parts[3])
        .collect(Collectors.toSet());
  }
}
