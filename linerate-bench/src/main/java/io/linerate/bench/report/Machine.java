package io.linerate.bench.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * What the figures of a report hold for.
 *
 * @param facts by name: processor, kernel, JDK, DPDK, commit, date, flags
 */
public record Machine(Map<String, String> facts) {
  private static final String UNKNOWN = "unknown";
  private static final long TIMEOUT_S = 10;

  /**
   * This one, now.
   *
   * @param home folder of the sources
   * @param arguments of the run
   * @param jvmFlags those of the Java programs that are measured; files of the sources are told
   *     without where these are
   * @param cpu where they run
   */
  public static Machine describe(
      Path home, List<String> arguments, List<String> jvmFlags, int cpu) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("commit", commit(home.toString()));
    facts.put("arguments", String.join(" ", arguments));
    facts.put("processor", line("/proc/cpuinfo", "model name"));
    facts.put("cpus", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("measuredCpu", Integer.toString(cpu));
    facts.put("memory", line("/proc/meminfo", "MemTotal"));
    facts.put("hugepages", line("/proc/meminfo", "HugePages_Total"));
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put(
        "jdk",
        System.getProperty("java.vendor.version", System.getProperty("java.vendor"))
            + ", "
            + System.getProperty("java.vm.name")
            + " "
            + System.getProperty("java.vm.version"));
    facts.put("jvmFlags", String.join(" ", jvmFlags).replace(home + "/", ""));
    facts.put("dpdk", output("pkg-config", "--modversion", "libdpdk"));
    facts.put("gcc", output("gcc", "-dumpfullversion"));
    facts.put("gccFlags", "-O3 -march=native");
    return new Machine(facts);
  }

  private static String commit(String home) {
    String commit = output("git", "-C", home, "rev-parse", "HEAD");
    String changes = output("git", "-C", home, "status", "--porcelain", "--untracked-files=no");
    return commit.equals(UNKNOWN) || changes.isEmpty() ? commit : commit + ", with changes";
  }

  private static String line(String file, String key) {
    try {
      return Files.readAllLines(Path.of(file)).stream()
          .filter(((Predicate<String>) String::isBlank).negate())
          .map(line -> line.split(":", 2))
          .filter(parts -> parts.length == 2 && parts[0].strip().equals(key))
          .map(parts -> parts[1].strip())
          .findFirst()
          .orElse(UNKNOWN);
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  private static String output(String... command) {
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      boolean isGood = process.waitFor(TIMEOUT_S, TimeUnit.SECONDS) && process.exitValue() == 0;
      return isGood ? text.strip() : UNKNOWN;
    } catch (IOException e) {
      return UNKNOWN;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return UNKNOWN;
    }
  }
}
