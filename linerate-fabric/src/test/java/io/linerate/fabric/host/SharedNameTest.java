package io.linerate.fabric.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files in /dev/shm, into which every user may put some, at a name that is to be taken. */
@Timeout(
    value = 5,
    unit = TimeUnit.MINUTES,
    threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // Of what would stand still.
class SharedNameTest {
  private static final int NOBODY = 65_534;

  private final String name = "lr-test-name-" + ProcessHandle.current().pid();
  private final Path path = Path.of("/dev/shm", name);
  private final List<Path> made = new ArrayList<>();

  @BeforeEach
  void requireSharedMemory() {
    assumeTrue(Files.isWritable(path.getParent()), "no /dev/shm");
  }

  @AfterEach
  void delete() throws IOException {
    for (Path each : made) {
      Files.deleteIfExists(each);
    }
  }

  @Test
  void shouldNotWaitForWhoWritesIntoAFifoAtItsName() throws Exception {
    add(path);
    assertThat(new ProcessBuilder("mkfifo", "-m", "600", path.toString()).start().waitFor())
        .isZero();
    assertRefused();
    assertThat(new SharedName(name).process()).isNull();
    assertThatThrownBy(() -> new SharedName(name).isMade(true)).isInstanceOf(IOException.class);
  }

  @Test
  void shouldTellThatAnotherUserHasItsName() throws IOException {
    Path target = Path.of(name + "~1~" + PeerProcess.of(1).started() + "~1"); // Alive.
    Files.createSymbolicLink(add(path), target);
    assertThat(SharedName.find(name)).isEqualTo(new SharedName(target.toString()));
    give(path);
    assertRefused();
    Files.delete(path);
    Files.write(path, new byte[200]);
    give(path);
    assertRefused();
  }

  @Test
  void shouldRefuseWhatOthersMayWriteTo() throws IOException {
    Files.write(add(path), new byte[200]);
    for (String mode : List.of("rw--w----", "rw-----w-")) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
      assertRefused();
    }
  }

  @Test
  void shouldTakeItsNameBesideFilesOfOthers() throws IOException {
    Path left = add(Path.of(path + "~1~1~1"));
    Files.createFile(left);
    give(left);
    SharedName taken = SharedName.claim(name);
    add(path);
    assertThat(taken).isNotNull();
    assertThat(taken.text()).matches(name + "~" + ProcessHandle.current().pid() + "~\\d+~\\d+");
    assertThat(left).exists();
    taken.release();
    assertThat(path).doesNotExist();
  }

  private void assertRefused() {
    assertThatThrownBy(() -> SharedName.find(name))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not an endpoint of this user: file=" + path);
    assertThatThrownBy(() -> SharedName.claim(name))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not an endpoint of this user: file=" + path);
  }

  private Path add(Path file) {
    made.add(file);
    return file;
  }

  private static void give(Path file) throws IOException {
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
        "only root gives files to others");
    Files.setAttribute(file, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
  }
}
