package io.linerate.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextFileTest {
  @TempDir Path directory;

  @Test
  void shouldReadTheWholeFile() throws IOException {
    Path file = Files.writeString(directory.resolve("a"), "\uFEFFµ\r\nb");
    assertThat(TextFile.read("rules file", file)).isEqualTo("µ\r\nb");
  }

  @Test
  void shouldSayWhyItCannotBeRead() {
    assertThatThrownBy(() -> TextFile.read("rules file", directory))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "cannot read the rules file: file=%s, reason=Is a directory; name a text file that may be read",
            directory);
    assertThatThrownBy(() -> TextFile.read("rules file", directory.resolve("a")))
        .isInstanceOf(ConfigException.class)
        .hasMessage("no such rules file: file=%s; check the path", directory.resolve("a"));
    assertThatThrownBy(() -> TextFile.read("rules file", Path.of("there", "is", "none")))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "no such rules file: file=there/is/none, folder=%s; check the path",
            Path.of("").toAbsolutePath());
  }

  @Test
  void shouldNotReadForEver() throws IOException {
    Path sparse = directory.resolve("sparse");
    try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
      file.setLength(TextFile.MAX_BYTES + 1L);
    }
    assertThatThrownBy(() -> TextFile.read("rules file", sparse))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("rules file is too long: file=" + sparse);
  }
}
