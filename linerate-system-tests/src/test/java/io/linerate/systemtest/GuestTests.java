package io.linerate.systemtest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.platform.console.ConsoleLauncher;

/** JUnit in a {@link VirtualMachine}, on its PCI devices. */
final class GuestTests {
  private static final Pattern SKIPPED = Pattern.compile("<testsuite [^>]* skipped=\"(\\d+)\"");

  private GuestTests() {}

  /**
   * What came of it.
   *
   * @param skipped tests that were skipped
   */
  record Result(int status, int skipped, String output) {}

  /**
   * Runs a test class. Its report is put beside surefire's, and so counted.
   *
   * @param name of its folder and of its report
   * @param devices what {@code linerate.test.pci} is to be
   */
  static Result run(VirtualMachine machine, String name, String testClass, String devices)
      throws IOException {
    Path reports = machine.folder().resolve(name).resolve("reports");
    List<String> words =
        new ArrayList<>(
            Command.java(
                ConsoleLauncher.class,
                "execute",
                "--disable-banner",
                "--disable-ansi-colors",
                "--details=tree",
                "--reports-dir=" + reports,
                "--select-class=" + testClass));
    words.add(1, "-Dlinerate.test.pci=" + devices);
    words.add(1, "-XX:ErrorFile=" + machine.folder().resolve(name).resolve("hs_err.log"));
    int classPath = words.indexOf("-cp") + 1;
    words.set(
        classPath,
        words.get(classPath)
            + ":"
            + Lab.project().resolve("linerate-driver-dpdk/target/test-classes"));
    GuestCommand tests = GuestCommand.start(machine, name, words);
    int status = tests.awaitExit();
    String output = tests.output() + tests.errors();
    System.out.print(output);
    Path report = reports.resolve("TEST-junit-jupiter.xml");
    if (!Files.exists(report)) {
      return new Result(status, 0, output);
    }
    Path surefire = Files.createDirectories(Path.of("target/surefire-reports"));
    Files.copy(
        report,
        surefire.resolve("TEST-machine-" + name + ".xml"),
        StandardCopyOption.REPLACE_EXISTING);
    return new Result(status, skipped(Files.readString(report)), output);
  }

  private static int skipped(String report) {
    Matcher matcher = SKIPPED.matcher(report);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }
}
