package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page about the standard elements has a row for each, which its class comment begins with. */
class ElementsPageTest {
  private static final Path SOURCES =
      Path.of("../linerate-graph/src/main/java/io/linerate/graph/element");
  private static final Path PAGE = Path.of("../docs/elements.md");

  private static String row(String name) {
    try {
      String source = Files.readString(SOURCES.resolve(name + ".java"));
      int start = source.indexOf("\n/**") + 4;
      String comment = source.substring(start, source.indexOf("*/", start));
      String text = comment.replaceAll("\\s*\\n \\* ?", " ").strip();
      String sentence = text.replaceFirst("(?s)(?<=\\.)\\s.*", "");
      return "| [%s](%s) | %s |"
          .formatted(
              name,
              "../linerate-graph/src/main/java/io/linerate/graph/element/" + name + ".java",
              sentence);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void shouldHaveARowForEachElement() throws IOException {
    List<String> rows = EveryElementTest.classes().stream().map(ElementsPageTest::row).toList();
    assertThat(Files.readAllLines(PAGE)).filteredOn(line -> line.startsWith("| [")).isEqualTo(rows);
  }

  /** What every class comment has, and so every element's manual page. */
  @Test
  void shouldFindPortsDropsAndAnExampleInEachComment() throws IOException {
    for (String name : EveryElementTest.classes()) {
      assertThat(Files.readString(SOURCES.resolve(name + ".java")))
          .as(name)
          .containsPattern("(?m)^ \\* (inputs|outputs)  ")
          .contains("\n * drops ", "\n * example ");
    }
  }
}
