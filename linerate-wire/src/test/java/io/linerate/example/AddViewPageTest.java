package io.linerate.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page about views shows the view that is compiled and tested here. */
class AddViewPageTest {
  private static final Path PAGE = Path.of("../docs/add-a-view.md");

  @ParameterizedTest
  @ValueSource(strings = {"Vxlan", "VxlanTest"})
  void shouldShowWhatIsCompiled(String name) throws IOException {
    Path source = Path.of("src/test/java/io/linerate/example", name + ".java");
    assertThat(Files.readString(PAGE)).contains("```java\n" + Files.readString(source) + "```\n");
  }
}
