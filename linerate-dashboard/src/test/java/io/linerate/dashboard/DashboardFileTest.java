package io.linerate.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DashboardFileTest {
  private static final DashboardFile.Entry ENTRY =
      new DashboardFile.Entry(ProcessHandle.current().pid(), "test", "http://127.0.0.1:1/", "t");

  @TempDir Path folder;

  @Test
  void shouldBeForItsOwnerOnlyAndGoneInTheEnd() throws Exception {
    Path own = folder.resolve("linerate");
    DashboardFile file = DashboardFile.write(own, ENTRY).orElseThrow();
    Path path = own.resolve(ENTRY.pid() + ".dashboard");

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
        .isEqualTo("rwx------");
    assertThat(DashboardFile.running(own)).containsExactly(ENTRY);
    file.close();
    assertThat(path).doesNotExist();
  }

  @Test
  void shouldForgetProgramsThatAreGoneAndFilesThatAreNone() throws Exception {
    assertThat(DashboardFile.write(folder.resolve("linerate"), ENTRY)).isPresent();
    Path own = folder.resolve("linerate");
    Path gone = Files.writeString(own.resolve("999999999.dashboard"), "{}");
    Files.writeString(own.resolve("1.dashboard"), "nonsense");
    Files.writeString(own.resolve("x.dashboard"), "{}");

    assertThat(DashboardFile.running(own)).containsExactly(ENTRY);
    assertThat(gone).doesNotExist();
  }

  @Test
  void shouldForgetAProgramWhoseNumberAnotherHasNow() throws Exception {
    Path own = folder.resolve("linerate");
    assertThat(DashboardFile.write(own, ENTRY)).isPresent();
    Path path = own.resolve(ENTRY.pid() + ".dashboard");
    String text = Files.readString(path);
    long start = ProcessStart.ticks(ENTRY.pid()).orElseThrow();
    assertThat(text).contains("\"startTicks\":" + start);
    Files.writeString(path, text.replace("\"startTicks\":" + start, "\"startTicks\":7"));

    assertThat(DashboardFile.running(own)).isEmpty();
    assertThat(path).doesNotExist();
    assertThat(ProcessStart.ticks(999_999_999)).isEmpty();
  }

  @Test
  void shouldNotTrustAFolderThatOthersMayWriteTo() throws Exception {
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Files.writeString(open.resolve(ENTRY.pid() + ".dashboard"), "{}");

    assertThat(DashboardFile.write(open, ENTRY)).isEmpty();
    assertThat(DashboardFile.running(open)).isEmpty();
  }
}
