package io.linerate.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.counter.ProgramFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DashboardFileTest {
  private static final DashboardFile.Entry ENTRY =
      new DashboardFile.Entry(ProcessHandle.current().pid(), "test", 7, "http://127.0.0.1:1/", "t");

  @TempDir Path folder;

  private static ProgramFolder folder(Path path) {
    return new ProgramFolder(List.of(path));
  }

  @Test
  void shouldBeForItsOwnerOnlyAndGoneInTheEnd() throws Exception {
    Path own = folder.resolve("linerate");
    DashboardFile file = DashboardFile.write(folder(own), ENTRY).orElseThrow();
    Path path = own.resolve(ENTRY.pid() + ".dashboard");

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
        .isEqualTo("rwx------");
    assertThat(DashboardFile.running(folder(own))).containsExactly(ENTRY);
    file.close();
    assertThat(path).doesNotExist();
  }

  @Test
  void shouldForgetProgramsThatAreGoneAndFilesThatAreNone() throws Exception {
    Path own = folder.resolve("linerate");
    try (DashboardFile _ = DashboardFile.write(folder(own), ENTRY).orElseThrow()) {
      Path gone = Files.writeString(own.resolve("999999999.dashboard"), "{}");
      Path begins = Files.writeString(own.resolve("1.dashboard"), "");
      Path foreign = Files.writeString(own.resolve("x.dashboard"), "{}");
      Path pipe = own.resolve("2.dashboard");
      assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
      for (Path old : List.of(gone, foreign)) {
        Files.setLastModifiedTime(old, FileTime.fromMillis(0));
      }

      assertThat(DashboardFile.running(folder(own))).containsExactly(ENTRY);
      assertThat(gone).doesNotExist();
      assertThat(begins).exists();
      assertThat(foreign).exists();
    }
  }

  @Test
  void shouldForgetAKilledProgramAlsoWhenAnotherHasItsNumberNow() throws Exception {
    Path own = folder.resolve("linerate");
    Path path = own.resolve(ENTRY.pid() + ".dashboard");
    try (DashboardFile _ = DashboardFile.write(folder(own), ENTRY).orElseThrow()) {
      Files.copy(path, own.resolve("copy"));
    }
    Files.move(own.resolve("copy"), path);
    assertThat(DashboardFile.running(folder(own))).isEmpty();
    Files.setLastModifiedTime(path, FileTime.fromMillis(0));
    assertThat(DashboardFile.running(folder(own))).isEmpty();
    assertThat(path).doesNotExist();
  }

  @Test
  void shouldKnowAProgramOfAnotherPidNamespace() {
    Path own = folder.resolve("linerate");
    DashboardFile.Entry elsewhere =
        new DashboardFile.Entry(999_999_999, "test", 7, "http://127.0.0.1:1/", "t");
    try (DashboardFile _ = DashboardFile.write(folder(own), elsewhere).orElseThrow()) {
      assertThat(DashboardFile.running(folder(own))).containsExactly(elsewhere);
    }
  }

  @Test
  void shouldHaveOneForEachDashboardOfAProcess() {
    Path own = folder.resolve("linerate");
    DashboardFile.Entry second =
        new DashboardFile.Entry(ENTRY.pid(), "test", 7, "http://127.0.0.1:2/", "u");
    try (DashboardFile _ = DashboardFile.write(folder(own), ENTRY).orElseThrow()) {
      try (DashboardFile _ = DashboardFile.write(folder(own), second).orElseThrow()) {
        assertThat(DashboardFile.running(folder(own))).containsExactlyInAnyOrder(ENTRY, second);
      }
      assertThat(DashboardFile.running(folder(own))).containsExactly(ENTRY);
    }
    assertThat(own).isEmptyDirectory();
  }

  @Test
  void shouldNotTrustAFolderThatOthersMayWriteTo() throws Exception {
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Files.writeString(open.resolve(ENTRY.pid() + ".dashboard"), "{}");

    assertThat(DashboardFile.write(folder(open), ENTRY)).isEmpty();
    assertThat(DashboardFile.running(folder(open))).isEmpty();
  }
}
