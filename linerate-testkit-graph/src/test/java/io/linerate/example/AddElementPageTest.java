package io.linerate.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page about elements shows the elements that are compiled and tested here. */
final class AddElementPageTest {
  private static final Path PAGE = Path.of("../docs/add-an-element.md");

  @ParameterizedTest
  @ValueSource(strings = {"MinLength", "MinLengthTest", "Sampler", "SamplerTest"})
  void shouldShowWhatIsCompiled(String name) throws IOException {
    Path source = Path.of("src/test/java/io/linerate/example", name + ".java");
    assertThat(Files.readString(PAGE)).contains("```java\n" + Files.readString(source) + "```\n");
  }
}
