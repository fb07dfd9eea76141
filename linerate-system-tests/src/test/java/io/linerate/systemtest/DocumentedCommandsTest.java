package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.systemtest.DocumentedCommands.Documented;
import io.linerate.testkit.Soak;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every command of the documentation does what it says, in the order of its block; one that cannot
 * be run everywhere says there what it needs.
 */
class DocumentedCommandsTest {
  private static final String NAMESPACE = "lr-commands-" + ProcessHandle.current().pid();

  /** What others run: the tests that are named, or those of the build themselves. */
  private static final List<String> ELSEWHERE =
      List.of(
          "./linerate test", // LauncherTest
          "./linerate bench", // linerate-bench's tests
          "./linerate build", // LauncherTest
          "./linerate install", // ReleaseTest
          "./linerate dist", // ReleaseTest
          "./linerate site", // SiteTest
          "./linerate link", // ReleaseTest
          "cp -r examples/project", // OwnProjectTest
          "cd ~/long-frames",
          "mvn package",
          "java -jar target/long-frames-1.0.jar pcap:");

  @TempDir Path folder;

  /** All in a soak; else the one that is read first. */
  static Stream<Path> pagesWithCommands() {
    return DocumentedCommands.pages().stream()
        .filter(page -> Soak.times(0, 1) == 1 || page.endsWith("README.md"))
        .filter(page ->
            DocumentedCommands.blocks(page).stream()
                .flatMap(List::stream)
                .anyMatch(DocumentedCommandsTest::isRun));
  }

  private static boolean isRun(Documented command) {
    return command.needs().isEmpty() && ELSEWHERE.stream().noneMatch(command.line()::startsWith);
  }

  @BeforeEach
  void makeAFolderAsTheDocumentationHasIt() throws IOException {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "unshare", "script");
    Path project = Lab.project();
    Command.run("cp", "-r", project.resolve("examples").toString(), folder.toString());
    Path captures = folder.resolve("examples/captures");
    Files.copy(captures.resolve("mixed.pcapng"), folder.resolve("in.pcapng"));
    Command.run(
        Command.linerate(
                "capture",
                "--port",
                "pcap:rx=" + captures.resolve("mixed.pcapng"),
                "--write",
                folder.resolve("in.pcap").toString())
            .toArray(String[]::new));
    Files.copy(folder.resolve("examples/firewall.properties"), folder.resolve("my.properties"));
    Path lib = Files.createDirectories(folder.resolve("linerate-apps/target/lib"));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (entry.endsWith(".jar")) {
        Path jar = Path.of(entry);
        Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar);
      }
    }
    Path bin = Files.createDirectory(folder.resolve("bin"));
    List<String> words = Command.linerate();
    Path linerate =
        Lab.write(
            bin.resolve("linerate"), "#!/bin/sh", "exec " + String.join(" ", words) + " \"$@\"");
    assertThat(linerate.toFile().setExecutable(true)).isTrue();
    Files.createSymbolicLink(folder.resolve("linerate"), linerate);
    Command.run("ip", "netns", "add", NAMESPACE);
    Command.run("ip", "-n", NAMESPACE, "link", "set", "dev", "lo", "up");
    for (List<String> ends : List.of(List.of("eth0", "eth1"), List.of("a", "b"))) {
      String one = ends.getFirst();
      String other = ends.getLast();
      Command.run(
          "ip", "-n", NAMESPACE, "link", "add", "name", one, "type", "veth", "peer", "name", other);
      Command.run("ip", "-n", NAMESPACE, "link", "set", "dev", one, "up");
      Command.run("ip", "-n", NAMESPACE, "link", "set", "dev", other, "up");
    }
  }

  @AfterEach
  void removeTheNamespaceAndTheLinks() {
    int _ = Command.status("ip", "netns", "del", NAMESPACE);
    Command.run("find", folder.toString(), "-type", "l", "-delete");
  }

  @ParameterizedTest
  @MethodSource("pagesWithCommands")
  @Tag("sampled")
  void shouldDoWhatThePageTells(Path page) throws IOException {
    for (List<Documented> block : DocumentedCommands.blocks(page)) {
      List<String> lines =
          block.stream()
              .filter(DocumentedCommandsTest::isRun)
              .map(DocumentedCommandsTest::shortened)
              .toList();
      if (!lines.isEmpty()) {
        run(lines);
      }
    }
  }

  /** The same in less time. */
  private static String shortened(Documented command) {
    return command
        .line()
        .replaceAll("(--duration|--seconds) \\S+", "$1 1s")
        .replaceAll("--trial \\S+", "--trial 200ms")
        .replaceAll("--searches \\S+", "--searches 1");
  }

  private void run(List<String> lines) throws IOException {
    Lab.write(folder.resolve("commands"), lines.toArray(String[]::new));
    Path script = folder.resolve("commands.sh");
    try (var resource = DocumentedCommandsTest.class.getResourceAsStream("commands.sh")) {
      Files.write(script, resource.readAllBytes());
    }
    String java = Path.of(System.getProperty("java.home"), "bin").toString();
    List<String> words =
        new ArrayList<>(
            List.of(
                "env",
                "-C",
                folder.toString(),
                "PATH=" + folder.resolve("bin") + ":" + java + ":" + System.getenv("PATH"),
                "LINERATE_TEST_PROGRAM=linerate firewall examples/firewall.properties --set "
                    + "'ports=in=pcap:rx=examples/captures/mixed.pcapng,loop=forever,pace=recorded;"
                    + " out=pcap:tx=/dev/null' --set maxworkers=2 --dashboard 127.0.0.1:0",
                // Programs that others run are not seen.
                "unshare",
                "--mount",
                "sh",
                "-c",
                "mkdir -p /run/linerate && mount -t tmpfs tmpfs /run/linerate && exec bash commands.sh <commands"));
    try (Command command = Command.start(Command.in(NAMESPACE, words))) {
      assertThat(command.awaitExit()).as(command.errors() + command.output()).isZero();
    }
  }
}
