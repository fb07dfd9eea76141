package io.linerate.systemtest;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What the machine must have for a test; a test that misses something is skipped with the reason.
 */
final class Lab {
  private Lab() {}

  static void requireRoot() {
    assumeTrue("root".equals(System.getProperty("user.name")), "skipped: needs root");
  }

  static void requirePrograms(String... names) {
    for (String name : names) {
      assumeTrue(isProgram(name), "skipped: needs the program " + name);
    }
  }

  static void requireDpdk() {
    assumeTrue(
        Lab.class.getResource("/native/linux-x86_64/liblinerate_dpdk.so") != null,
        "skipped: the DPDK shim was not built");
  }

  /** Whether DPDK finds huge pages: 2 MiB each. */
  static boolean hasHugePages(int count) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
      return lines
          .filter(line -> line.startsWith("HugePages_Free:"))
          .anyMatch(line -> Integer.parseInt(line.replaceAll("\\D", "")) >= count);
    } catch (IOException e) {
      return false;
    }
  }

  /** Skips where DPDK does not find so many, of 2 MiB each. */
  static void requireHugePages(int count) {
    assumeTrue(hasHugePages(count), "skipped: needs free huge pages of 2 MiB: " + count);
  }

  /** The root of the project: tests run in their module's folder. */
  static Path project() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("examples/captures/mixed.pcapng"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("examples/captures/mixed.pcapng is in no folder above");
      }
    }
    return folder;
  }

  static boolean isProgram(String name) {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      if (Files.isExecutable(Path.of(folder, name))) {
        return true;
      }
    }
    return Files.isExecutable(Path.of("/usr/sbin", name))
        || Files.isExecutable(Path.of("/sbin", name));
  }

  /** Deletes a file, if it is there. */
  static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a text file. */
  static Path write(Path file, String... lines) {
    try {
      return Files.writeString(file, String.join("\n", lines) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
