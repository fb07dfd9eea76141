package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.Soak;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that go from one network namespace to another. */
class TransferTest {
  private static final String FROM_ADDRESS = "10.97.0.1";
  private static final String TO_ADDRESS = "10.97.0.2";
  private static final String BAD_NETWORK =
      "fault:direction=both,drop=0.01,duplicate=0.01,reorder=0.01,distance=5,corrupt=0.001,port=";

  private final String from = "lr" + ProcessHandle.current().pid() + "f";
  private final String to = "lr" + ProcessHandle.current().pid() + "t";

  @TempDir Path folder;

  @BeforeEach
  void makeALink() throws IOException {
    Lab.requireRoot();
    Lab.requirePrograms("ip");
    Command.run("ip", "netns", "add", from);
    Command.run("ip", "netns", "add", to);
    Command.run(
        "ip", "-n", from, "link", "add", "eth0", "type", "veth", "peer", "name", "eth0", "netns",
        to);
    Command.run("ip", "-n", from, "addr", "add", FROM_ADDRESS + "/24", "dev", "eth0");
    Command.run("ip", "-n", to, "addr", "add", TO_ADDRESS + "/24", "dev", "eth0");
    for (String namespace : List.of(from, to)) {
      Command.run("ip", "-n", namespace, "link", "set", "eth0", "addrgenmode", "none", "up");
    }
    Files.createDirectory(folder.resolve("in"));
  }

  @AfterEach
  void removeTheLink() {
    for (String namespace : List.of(from, to)) {
      int _ = Command.status("ip", "netns", "delete", namespace);
    }
  }

  private Command send(String... options) {
    return start(from, "send", options);
  }

  private Command receive(String... options) {
    List<String> words = new ArrayList<>(List.of("--into", folder.resolve("in").toString()));
    words.addAll(List.of(options));
    Command receive = start(to, "receive", words.toArray(new String[0]));
    receive.awaitError(said -> said.contains("Ctrl-C ends it"));
    return receive;
  }

  private static Command start(String namespace, String program, String... options) {
    List<String> words = new ArrayList<>(List.of(program));
    words.addAll(List.of(options));
    if (!words.contains("--via")) {
      words.addAll(List.of("--via", "packet:eth0"));
    }
    return Command.start(Command.in(namespace, Command.linerate(words.toArray(new String[0]))));
  }

  private Path key(String name, int seed) throws IOException {
    byte[] key = new byte[32];
    new Random(seed).nextBytes(key);
    Path file = folder.resolve(name);
    Files.write(file, key);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  /** Half of it can be compressed. */
  private static void fill(Path file, long bytes, long seed) throws IOException {
    Random random = new Random(seed);
    byte[] block = new byte[1 << 16];
    Files.createDirectories(file.getParent());
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long left = bytes; left > 0; left -= block.length) {
        if (random.nextBoolean()) {
          random.nextBytes(block);
        }
        out.write(block, 0, (int) Math.min(left, block.length));
      }
    }
  }

  /** Everything below a directory: names, and of files modes, times and bytes. */
  private static Map<String, String> content(Path directory) throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.toList()) {
        content.put(
            directory.relativize(path).toString(),
            Files.isDirectory(path)
                ? "directory"
                : "%s %s %s"
                    .formatted(
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(path)),
                        Files.getLastModifiedTime(path),
                        sum(path)));
      }
    }
    return content;
  }

  private static String sum(Path path) {
    return Command.run("sha256sum", path.toString()).split(" ", 2)[0];
  }

  private Path tree(long totalBytes) throws IOException {
    Path tree = folder.resolve("out");
    fill(tree.resolve("empty"), 0, 1);
    fill(tree.resolve("one"), 1, 2);
    fill(tree.resolve("deep/er/text with blanks.txt"), 100_000, 3);
    for (int i = 0; i < 100; i++) {
      fill(tree.resolve("many/" + i), i * 777L, 100 + i);
    }
    fill(tree.resolve("large"), totalBytes / 2, 4);
    fill(tree.resolve("larger"), totalBytes / 2, 5);
    Files.createDirectories(tree.resolve("nothing/in/it"));
    Files.setPosixFilePermissions(
        tree.resolve("one"), PosixFilePermissions.fromString("rwxr-x---"));
    return tree;
  }

  @Test
  @Tag("sampled")
  void shouldBringADirectoryThroughABadNetwork() throws Exception {
    Path tree = tree(Soak.times(40_000_000, 2_000_000_000));
    String key = key("key", 1).toString();
    try (Command receive = receive("--once", "--key", key);
        Command send =
            send(
                tree.toString(),
                "--to",
                TO_ADDRESS,
                "--via",
                BAD_NETWORK + "packet:eth0",
                "--key",
                key,
                "--compress",
                "zstd",
                "--json")) {
      assertThat(send.awaitExit()).as(send.errors()).isZero();
      assertThat(receive.awaitExit()).as(receive.errors()).isZero();
      assertThat(send.output()).contains("\"filesFailed\":0");
      assertThat(content(folder.resolve("in/out"))).isEqualTo(content(tree));
      assertThat(folder.resolve("in/.linerate-receive")).doesNotExist();
    }
  }

  @Test
  void shouldGoOnWhereItWasWhenEitherSideIsKilled() throws Exception {
    Path file = folder.resolve("large");
    fill(file, 80_000_000, 1);
    Path in = folder.resolve("in/large");
    Command receive = receive();
    Command send = send(file.toString(), "--to", TO_ADDRESS, "--rate", "200Mbps", "--json");
    awaitExtents(1);
    receive.kill();
    receive.close();
    assertThat(in).doesNotExist();
    receive = receive("--once");
    awaitExtents(2);
    send.kill();
    send.close();
    assertThat(in).doesNotExist();
    // The one before may still be at it, as far as the receiver knows.
    Command.pause(11_000);
    send = send(file.toString(), "--to", TO_ADDRESS, "--json");
    assertThat(send.awaitExit()).as(send.errors()).isZero();
    assertThat(receive.awaitExit()).as(receive.errors()).isZero();
    assertThat(send.output()).containsPattern("\"bytesThere\":[1-9]");
    assertThat(sum(in)).isEqualTo(sum(file));
    send.close();
    receive.close();
  }

  /** Until so many extents are known to be there. */
  private void awaitExtents(int extents) throws IOException {
    Path parts = folder.resolve("in/.linerate-receive");
    for (int i = 0; i < 6_000; i++) {
      if (Files.isDirectory(parts)) {
        try (Stream<Path> all = Files.list(parts)) {
          long bytes =
              all.filter(path -> path.toString().endsWith(".journal"))
                  .mapToLong(path -> path.toFile().length())
                  .sum();
          if (bytes >= 4L + 2 + "large".length() + 8 + 8 + 4 + 4L * extents) {
            return;
          }
        }
      }
      Command.pause(10);
    }
    throw new AssertionError("no extent has come");
  }

  @Test
  void shouldNotSendAgainWhatIsThere() throws Exception {
    Path tree = tree(1_000_000);
    try (Command receive = receive()) {
      for (int there : List.of(0, 105)) {
        try (Command send = send(tree.toString(), "--to", TO_ADDRESS, "--json")) {
          assertThat(send.awaitExit()).as(send.errors()).isZero();
          assertThat(send.output()).contains("\"filesThere\":" + there + ",");
        }
      }
      receive.terminate();
      assertThat(receive.awaitExit()).as(receive.errors()).isZero();
    }
  }

  @Test
  void shouldBringWhatComesByAPipe() throws Exception {
    Path file = folder.resolve("large");
    fill(file, 40_000_001, 1);
    String program =
        String.join(" ", Command.linerate("send", "-", "--name", "copy", "--to", TO_ADDRESS))
            + " --via packet:eth0 --compress lz4";
    try (Command receive = receive("--once");
        Command send =
            Command.start(
                Command.in(from, List.of("sh", "-c", "cat %s | %s".formatted(file, program))))) {
      assertThat(send.awaitExit()).as(send.errors()).isZero();
      assertThat(receive.awaitExit()).as(receive.errors()).isZero();
      assertThat(sum(folder.resolve("in/copy"))).isEqualTo(sum(file));
    }
  }

  @Test
  void shouldSayWhatIsWrong() throws Exception {
    Path file = folder.resolve("file");
    fill(file, 100, 1);
    assertThat(failed(send(file.toString(), "--to", TO_ADDRESS, "--key", folder + "/none"), 2))
        .contains("key file is not there: file=" + folder + "/none; make one");
    Path open = key("open", 1);
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(failed(send(file.toString(), "--to", TO_ADDRESS, "--key", open.toString()), 2))
        .contains("key file is not secret: file=" + open + ", mode=rw-r--r--; chmod 600");
    assertThat(failed(send("none", "--to", TO_ADDRESS), 2)).contains("no such file: file=none");
    assertThat(failed(send(file.toString()), 2)).contains("no receiver: --to is missing");
    assertThat(failed(send(file.toString(), "--to", "nowhere"), 2)).contains("nowhere");
    assertThat(failed(send(file.toString(), "--to", TO_ADDRESS, "--timeout", "2s"), 1))
        .contains("peer is lost: peer=" + TO_ADDRESS + ":4242, why=it has not answered for 2 s")
        .contains("not all was sent: files=1, left=1");
  }

  private static String failed(Command command, int status) {
    try (command) {
      assertThat(command.awaitExit()).as(command.errors()).isEqualTo(status);
      return command.errors();
    }
  }

  @Test
  void shouldNotTakeWhatAnotherKeyHasSent() throws Exception {
    Path file = folder.resolve("file");
    fill(file, 100, 1);
    try (Command receive = receive("--key", key("one", 1).toString())) {
      String said =
          failed(
              send(
                  file.toString(),
                  "--to",
                  TO_ADDRESS,
                  "--key",
                  key("other", 2).toString(),
                  "--timeout",
                  "2s"),
              1);
      assertThat(said).contains("with the same key");
      receive.terminate();
      assertThat(receive.awaitExit()).isZero();
      assertThat(folder.resolve("in").toFile().list()).isEmpty();
    }
  }

  @Test
  void shouldLeaveNothingHalfWrittenWhenTheDiskIsFull() throws Exception {
    Path file = folder.resolve("large");
    fill(file, 20_000_000, 1);
    Path small = folder.resolve("small");
    fill(small, 1_000, 1);
    Path in = folder.resolve("in");
    Command.run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", in.toString());
    try (Command receive = receive();
        Command send = send(file.toString(), small.toString(), "--to", TO_ADDRESS)) {
      assertThat(send.awaitExit()).as(send.errors()).isEqualTo(1);
      assertThat(send.errors())
          .contains("receiver has not kept a file: file=large, why=No space left on device");
      receive.terminate();
      assertThat(receive.awaitExit()).isEqualTo(1);
      assertThat(receive.errors())
          .contains("file cannot be written: file=large, why=No space left on device");
      assertThat(in.toFile().list()).containsExactly("small");
      assertThat(sum(in.resolve("small"))).isEqualTo(sum(small));
    } finally {
      Command.run("umount", in.toString());
    }
  }
}
