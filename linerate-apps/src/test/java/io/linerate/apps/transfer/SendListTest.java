package io.linerate.apps.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SendListTest {
  @TempDir Path folder;

  @Test
  void shouldTellLinksFromWhatCannotBeRead() throws IOException {
    Path directory = Files.createDirectory(folder.resolve("src"));
    Files.writeString(directory.resolve("file"), "text");
    Files.createSymbolicLink(directory.resolve("link"), Path.of("file"));
    SendList list = new SendList(new SendRules(Treatment.PLAIN));
    list.add(directory.toString());
    assertThat(list.files()).extracting(file -> file.name).containsExactly("src", "src/file");
    assertThat(list.skipped())
        .containsExactly("not a file, not sent: file=" + directory.resolve("link"));
    assertThat(list.unread()).isEmpty();
  }
}
