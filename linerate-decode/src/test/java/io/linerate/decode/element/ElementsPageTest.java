package io.linerate.decode.element;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page about elements says of these what their class comments begin with. */
class ElementsPageTest {
  private static final String SOURCES =
      "../linerate-decode/src/main/java/io/linerate/decode/element/";

  @ParameterizedTest
  @ValueSource(strings = {"Decode", "FollowStreams"})
  void shouldSayWhatTheClassCommentSays(String name) throws IOException {
    String source = Files.readString(Path.of(SOURCES + name + ".java"));
    int start = source.indexOf("\n/**") + 4;
    String comment = source.substring(start, source.indexOf("*/", start));
    String text = comment.replaceAll("\\s*\\n \\* ?", " ").strip();
    String sentence = text.replaceFirst("(?s)(?<=\\.)\\s.*", "");
    assertThat(Files.readString(Path.of("../docs/elements.md")))
        .contains(
            "- [%s](%s) (`linerate-decode`): %s\n"
                .formatted(name, SOURCES + name + ".java", sentence));
  }
}
