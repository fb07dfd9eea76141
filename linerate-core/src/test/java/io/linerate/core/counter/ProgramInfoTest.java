package io.linerate.core.counter;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProgramInfoTest {
  @Test
  void shouldHaveTheVersionOfTheBuild() throws Exception {
    String build = Files.readString(Path.of("..", "linerate-bom", "pom.xml"));
    assertThat(build).containsOnlyOnce("<revision>" + ProgramInfo.VERSION + "</revision>");
  }
}
