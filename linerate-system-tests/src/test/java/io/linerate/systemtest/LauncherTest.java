package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.counter.ProgramInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in a small tree of its own, with a Maven that does what the test says. */
class LauncherTest {
  private static final Path REPOSITORY = Path.of("..");
  private static final Path BENCH_TEXTS =
      Path.of("linerate-bench/src/main/resources/io/linerate/bench");
  private static final String TEST_IN_CORE =
      "linerate-core/src/test/java/io/linerate/CoreTest.java";
  private static final String TEST_IN_APPS =
      "linerate-apps/src/test/java/io/linerate/AppsTest.java";
  private static final String MAIN = "linerate-apps/src/main/java/io/linerate/Main.java";
  private static final String GATHERS =
      "mkdir -p linerate-apps/target/lib.new; cp %s linerate-apps/target/lib.new/a.jar\n";

  @TempDir Path folder;
  private Path root;

  /** What one run of the launcher said, and how it ended. */
  private record Run(int status, String output, String errors) {
    String lastLine() {
      return output.lines().reduce("", (before, line) -> line);
    }
  }

  @BeforeEach
  void makeTree() throws IOException {
    root = Files.createDirectory(folder.resolve("tree"));
    Files.copy(REPOSITORY.resolve("linerate"), root.resolve("linerate"));
    write("pom.xml", "<module>linerate-core</module>\n<module>linerate-apps</module>\n");
    write("linerate-bom/pom.xml", "<revision>1.2.3-SNAPSHOT</revision>\n");
    write(TEST_IN_CORE, "@Tag(\"soak\")");
    write(TEST_IN_APPS, "@Tag(\"sampled\")");
    write(MAIN, "first");
    program("mvn", "echo \"$@\" >>maven.log; . ./maven.sh");
    program("apt-get", "exit 1"); // Nothing is installed for a test.
    maven("exit 1");
  }

  private void write(String file, String content) throws IOException {
    Files.createDirectories(root.resolve(file).getParent());
    Files.writeString(root.resolve(file), content);
  }

  private void program(String name, String script) throws IOException {
    write("bin/" + name, "#!/bin/bash\n" + script + "\n");
    assertThat(root.resolve("bin/" + name).toFile().setExecutable(true)).isTrue();
  }

  /** What Maven does next, in the tree's root. */
  private void maven(String script) throws IOException {
    write("maven.sh", "set -e\n" + script);
  }

  private static String report(String module, String test, int failures) {
    return """
    mkdir -p %1$s/target/surefire-reports
    printf '<testsuite x="y" name="io.linerate.%2$s" tests="4" errors="0" skipped="0" failures="%3$d">\\n</testsuite>\\n' \
    >%1$s/target/surefire-reports/TEST-io.linerate.%2$s.xml
    """
        .formatted(module, test, failures);
  }

  private Run launcher(String... arguments) {
    return launcherWith("", arguments);
  }

  private Run launcherWith(String javaOptions, String... arguments) {
    try (Command command = startWith(javaOptions, arguments)) {
      int status = command.awaitExit();
      return new Run(status, command.output(), command.errors());
    }
  }

  private Command start(String... arguments) {
    return startWith("", arguments);
  }

  private Command startWith(String javaOptions, String... arguments) {
    List<String> words = environment(javaOptions);
    words.add(root.resolve("linerate").toString());
    words.addAll(List.of(arguments));
    return Command.start(words);
  }

  private List<String> environment(String javaOptions) {
    return new ArrayList<>(
        List.of(
            "env",
            "PATH=" + root.resolve("bin") + ":/usr/bin:/bin",
            "JAVA_HOME=" + System.getProperty("java.home"),
            "LINERATE_JAVA_OPTS=" + javaOptions));
  }

  private long mavenRuns() throws IOException {
    Path log = root.resolve("maven.log");
    return Files.exists(log) ? Files.readAllLines(log).size() : 0;
  }

  private String jar() throws IOException {
    return Files.readString(root.resolve("linerate-apps/target/lib/a.jar"));
  }

  @Test
  void shouldTellHelpListAndVersionWithoutABuild() throws IOException {
    Files.createDirectories(root.resolve(BENCH_TEXTS));
    for (String text : List.of("help.txt", "list.txt")) {
      Files.copy(
          REPOSITORY.resolve(BENCH_TEXTS).resolve(text), root.resolve(BENCH_TEXTS).resolve(text));
    }
    assertThat(launcher("--version")).isEqualTo(new Run(0, "linerate 1.2.3-SNAPSHOT\n", ""));
    assertThat(launcher("test", "--help").output())
        .contains("-pl linerate-wire -am", "--soak", "--machine", "browser");
    assertThat(launcher("bench", "firewall", "--help").output())
        .startsWith("Usage: linerate bench");
    assertThat(launcher("bench", "--list").output()).startsWith("capture ");
    assertThat(launcher("bench", "capture", "nosuch", "--quick"))
        .isEqualTo(
            new Run(
                2,
                "",
                "linerate: no such benchmark: name=nosuch; known are capture, firewall, classify, flows, scan, filter, decode, route, track, nat, balance, stream, transfer, fabric, forward, files, scaling, elements, chain, statistics, latency, relay, linux, warmup\n"));
    assertThat(launcher("build", "--help").output()).contains("Builds the program");
    assertThat(launcher("build", "nonsense"))
        .isEqualTo(
            new Run(
                2,
                "",
                "linerate: build takes no arguments: arguments=nonsense; see ./linerate --help\n"));
    assertThat(root.resolve("target")).doesNotExist();
    assertThat(mavenRuns()).isZero();
  }

  @Test
  void shouldTellOfReleasesWithoutABuild() throws IOException {
    for (String command : List.of("install", "dist", "link", "unlink", "site")) {
      assertThat(launcher(command, "--help").output())
          .as(command)
          .startsWith("Usage: ./linerate")
          .contains("./linerate " + command);
      assertThat(launcher(command, "one", "two"))
          .isEqualTo(
              new Run(
                  2,
                  "",
                  "linerate: %1$s takes a folder and no more: arguments=one two; see ./linerate %1$s --help\n"
                      .formatted(command)));
    }
    assertThat(mavenRuns()).isZero();
  }

  @Test
  void shouldInstallArtefactsWithoutTestsAndChecks() throws IOException {
    maven("");
    Run run = launcher("install", folder.resolve("repository").toString());
    assertThat(run.status()).as(run.errors()).isZero();
    assertThat(run.errors())
        .contains("installed: version=1.2.3-SNAPSHOT, repository=" + folder.resolve("repository"));
    assertThat(launcher("install").status()).isZero();
    assertThat(Files.readAllLines(root.resolve("maven.log")))
        .allMatch(line -> line.contains("-Dmaven.test.skip -Dspotless.check.skip"))
        .anyMatch(line -> line.contains(" install -Partefacts,sbom "))
        .anyMatch(line ->
            line.contains("=folder::file://" + folder.resolve("repository") + " -Partefacts"));
  }

  @Test
  void shouldBecomeACommandAndBeNoneAgain() throws IOException {
    programThatSaysBraces();
    Path prefix = folder.resolve("prefix");
    Run run = launcher("link", prefix.toString());
    assertThat(run.status()).as(run.errors()).isZero();
    assertThat(run.errors()).contains("linked: " + prefix.resolve("bin/linerate"), "export PATH=");
    assertThat(prefix.resolve("share/bash-completion/completions/linerate")).hasContent("{}");
    assertThat(prefix.resolve("share/zsh/site-functions/_linerate")).hasContent("{}");
    assertThat(prefix.resolve("bin/linerate")).isSymbolicLink();
    assertThat(launcher("unlink", prefix.toString()).status()).isZero();
    assertThat(prefix.resolve("bin")).isEmptyDirectory();
    Run again = launcher("unlink", prefix.toString());
    assertThat(again.status()).isEqualTo(1);
    assertThat(again.errors()).contains("not linked to this checkout: file=");
  }

  @Test
  void shouldShowOnATerminalHowFarABuildIs() throws IOException {
    Lab.requirePrograms("script");
    maven("echo '[INFO] Building linerate-wire 1.2.3 [3/14]'; sleep 1\n" + GATHERS.formatted(MAIN));
    List<String> words = environment("");
    words.addAll(
        List.of("TERM=xterm", "script", "-qec", root.resolve("linerate") + " build", "/dev/null"));
    try (Command command = Command.start(words)) {
      assertThat(command.awaitExit()).isZero();
      assertThat(command.output())
          .contains("linerate: building: linerate-wire, module 3 of 14, ", "linerate: building: ");
    }
  }

  @Test
  void shouldHaveOneVersion() throws IOException {
    Files.copy(
        REPOSITORY.resolve("linerate-bom/pom.xml"),
        root.resolve("linerate-bom/pom.xml"),
        StandardCopyOption.REPLACE_EXISTING);
    assertThat(launcher("--version").output()).isEqualTo("linerate " + ProgramInfo.VERSION + "\n");
  }

  @Test
  void shouldNameTheModulesThatDidNotRun() throws IOException {
    maven(report("linerate-core", "CoreTest", 1) + "exit 1\n");
    Run run = launcher("test");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.lastLine()).isEqualTo("3 passed, 1 failed, 0 skipped; not run: linerate-apps");
  }

  @Test
  void shouldFailWhenAModuleDidNotRunThoughMavenIsContent() throws IOException {
    maven(report("linerate-core", "CoreTest", 0));
    Run run = launcher("test");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.lastLine()).isEqualTo("4 passed, 0 failed, 0 skipped; not run: linerate-apps");
  }

  @Test
  void shouldEndWithNumbersAloneWhenAllThatWasAskedForRan() throws IOException {
    maven(report("linerate-core", "CoreTest", 0));
    Run one = launcher("test", "-pl", "linerate-core");
    assertThat(one.status()).as(one.errors()).isZero();
    assertThat(one.lastLine()).isEqualTo("4 passed, 0 failed, 0 skipped");
    assertThat(one.errors()).contains("not run, as the arguments have it: linerate-apps");
    maven(report("linerate-core", "CoreTest", 0) + report("linerate-apps", "AppsTest", 0));
    Run all = launcher("test");
    assertThat(all.status()).as(all.errors()).isZero();
    assertThat(all.lastLine()).isEqualTo("8 passed, 0 failed, 0 skipped");
    assertThat(all.errors()).doesNotContain("not run");
  }

  @Test
  void shouldKeepTheProgramUntilTheNextIsThere() throws IOException {
    maven(GATHERS.formatted(MAIN));
    assertThat(launcher("build").status()).isZero();
    assertThat(jar()).isEqualTo("first");
    Path first = root.resolve("linerate-apps/target/lib").toRealPath();
    write(MAIN, "second");
    String looks = "cat linerate-apps/target/lib/a.jar >>seen\n";
    maven(looks + "exit 1");
    assertThat(launcher("build").status()).isEqualTo(1);
    assertThat(launcher("test").status()).isEqualTo(1);
    assertThat(jar()).isEqualTo("first");
    maven(GATHERS.formatted(MAIN) + looks);
    assertThat(launcher("build").status()).isZero();
    assertThat(jar()).isEqualTo("second");
    assertThat(root.resolve("seen")).hasContent("firstfirstfirst");
    assertThat(first.resolve("a.jar")).as("for who runs it still").hasContent("first");
  }

  @Test
  void shouldNotBuildAgainWhatWasTestedOrCopied() throws IOException {
    maven(
        GATHERS.formatted(MAIN)
            + report("linerate-core", "CoreTest", 0)
            + report("linerate-apps", "AppsTest", 0));
    assertThat(launcher("test").status()).isZero();
    assertThat(launcher("build").status()).isZero();
    Path copy = folder.resolve("copy");
    Command.run("cp", "-r", root.toString(), copy.toString());
    root = copy;
    assertThat(launcher("build").status()).isZero();
    assertThat(mavenRuns()).isEqualTo(1);
    write(MAIN, "other");
    assertThat(launcher("build").status()).isZero();
    assertThat(mavenRuns()).isEqualTo(2);
  }

  @Test
  void shouldGoOnWithASoakFromTheSameSeed() throws IOException {
    maven(
        report("linerate-core", "CoreTest", 0)
            + "echo reported >&2; for i in {1..600}; do [[ -e leave ]] && exit; sleep 0.1; done\n");
    try (Command killed = start("test", "--soak", "42")) {
      killed.awaitError(said -> said.contains("reported"));
      killed.kill();
      write("leave", "");
    }
    maven(
        "cat target/launcher/soak.passed >exclusions\n"
            + report("linerate-apps", "AppsTest", 1)
            + "exit 1\n");
    Run second = launcher("test", "--soak");
    assertThat(second.errors()).contains("soak: seed=42, passed before=1");
    assertThat(second.lastLine()).isEqualTo("3 passed, 1 failed, 0 skipped");
    assertThat(root.resolve("exclusions")).hasContent("# 42\n**/*$*\nio/linerate/CoreTest.java\n");
    assertThat(Files.readString(root.resolve("maven.log")))
        .contains(
            "-Dlinerate.soak=true -Dlinerate.test.seed=42 -Dlinerate.test.groups=soak|sampled");
    maven(report("linerate-apps", "AppsTest", 0));
    assertThat(launcher("test", "--soak").status()).isZero();
    assertThat(root.resolve("target/launcher/soak.passed"))
        .as("of a soak that has passed")
        .doesNotExist();
  }

  @Test
  void shouldBeginASoakAnew() throws IOException {
    maven(report("linerate-core", "CoreTest", 0) + "exit 1\n");
    Run first = launcher("test", "--soak", "--seed", "7");
    assertThat(first.lastLine()).endsWith("not run: linerate-apps");
    assertThat(launcher("test", "--soak", "--restart", "--seed", "7").errors())
        .contains("seed=7, passed before=0");
    assertThat(launcher("test", "--soak", "8").errors()).contains("seed=8, passed before=0");
    assertThat(launcher("test", "--soak", "--restart").errors())
        .contains("passed before=0")
        .doesNotContain("seed=8,");
  }

  @Test
  void shouldRefuseOptionsOfASoakThatAreWrong() {
    assertThat(launcher("test", "--soak", "--seed", "x"))
        .isEqualTo(
            new Run(2, "", "linerate: not a seed: seed=x; give a number of at most 18 digits\n"));
    assertThat(launcher("test", "--seed").status()).isEqualTo(2);
    assertThat(launcher("test", "--restart").status()).isEqualTo(2);
  }

  @Test
  void shouldRunTheMachineTestsAlone() throws IOException {
    write("target/launcher/machine/complete", ""); // Nothing is fetched for a test.
    maven(report("linerate-apps", "AppsTest", 0));
    Run run = launcher("test", "--machine", "-o");
    assertThat(run.status()).as(run.errors()).isZero();
    assertThat(run.errors()).contains("not run, as the arguments have it: linerate-core");
    assertThat(Files.readString(root.resolve("maven.log")))
        .contains(
            "-Dlinerate.test.machine=" + root.resolve("target/launcher/machine"),
            "-Dtest=Machine*Test -pl linerate-system-tests -am -o");
    assertThat(launcher("test", "--soak", "--machine").status()).isEqualTo(2);
  }

  @Test
  void shouldSayThatTheMachinesKernelCannotBeFetched() throws IOException {
    maven(report("linerate-apps", "AppsTest", 0));
    assertThat(launcher("test", "--machine").errors())
        .contains(
            "kernel could not be fetched: log=" + root.resolve("target/launcher/machine.log"));
    assertThat(root.resolve("target/launcher/machine")).doesNotExist();
  }

  /** A program that says two braces, with the JVM's options of this repository. */
  private void programThatSaysBraces() throws IOException {
    for (String file : List.of("jvm.options", "compiler.json")) {
      write("linerate-apps/" + file, Files.readString(REPOSITORY.resolve("linerate-apps/" + file)));
    }
    write(
        "linerate-apps/src/main/java/Main.java",
        """
        package io.linerate.apps;
        class Main {
          static void main() {
            boolean hasMore = Main.class.getResource("/more.txt") != null;
            System.out.println(hasMore ? "{more}" : "{}");
          }
        }
        """);
    maven(
        """
        mkdir -p linerate-apps/target/lib.new classes
        "$JAVA_HOME/bin/javac" -d classes linerate-apps/src/main/java/Main.java
        "$JAVA_HOME/bin/jar" cf linerate-apps/target/lib.new/a.jar -C classes .
        """);
  }

  @Test
  void shouldLeaveStandardOutputToTheProgram() throws IOException {
    programThatSaysBraces();
    Run run = launcher("capture");
    assertThat(run.output()).isEqualTo("{}\n");
    assertThat(run.errors()).doesNotContain("directives");

    Run printed = launcherWith("-XX:+CompilerDirectivesPrint", "capture");
    assertThat(printed.output()).isEqualTo("{}\n");
    assertThat(printed.errors()).contains("1 compiler directives added", "Mbuf.*");
  }

  @Test
  void shouldPutWhatIsNamedOnTheClassPath() throws IOException {
    programThatSaysBraces();
    write("more/more.txt", "");
    List<String> more = environment("");
    more.add("LINERATE_CLASS_PATH=" + root.resolve("more"));
    more.addAll(List.of(root.resolve("linerate").toString(), "capture"));
    assertThat(Command.run(more.toArray(new String[0]))).isEqualTo("{more}\n");
    more.set(more.size() - 3, "LINERATE_CLASS_PATH=" + root.resolve("more") + ":/nowhere.jar");
    try (Command command = Command.start(more)) {
      assertThat(command.awaitExit()).isEqualTo(1);
      assertThat(command.errors()).contains("not there: file=/nowhere.jar; name jars");
    }
  }

  @Test
  void shouldSayWhyTheJvmDoesNotStart() throws IOException {
    programThatSaysBraces();
    assertThat(launcherWith("-XX:+UseG1GC", "capture").errors())
        .contains("Multiple garbage collectors selected");
    List<String> limited = environment("");
    limited.addAll(List.of("bash", "-c", "ulimit -v 1000000; $0 capture"));
    limited.add(root.resolve("linerate").toString());
    try (Command command = Command.start(limited)) {
      assertThat(command.awaitExit()).isEqualTo(1);
      assertThat(command.errors()).contains("Error occurred during initialization of VM");
    }
  }
}
