package io.linerate.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page about streams shows the test that is run here. */
final class StreamsPageTest {
  @Test
  void shouldShowWhatIsCompiled() throws Exception {
    Path source = Path.of("src/test/java/io/linerate/example/WordCountsTest.java");
    assertThat(Files.readString(Path.of("../docs/streams.md")))
        .contains("```java\n" + Files.readString(source) + "```\n");
  }
}
