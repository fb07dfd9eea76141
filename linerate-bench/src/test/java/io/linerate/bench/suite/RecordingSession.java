package io.linerate.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A quick session that keeps what it is given. */
public final class RecordingSession implements Session {
  private static final int MIN_HUGE_PAGES = 200;
  private static final Path TWINS = Path.of("target/c").toAbsolutePath();

  private final Path folder;
  private final String caseText;
  private final Map<String, Result> results = new LinkedHashMap<>();
  private final List<Chart> charts = new ArrayList<>();
  private final List<String> said = new ArrayList<>();
  private final Map<String, String> skipped = new LinkedHashMap<>();

  /**
   * @param caseText only cases whose name has it
   */
  public RecordingSession(Path folder, String caseText) {
    this.folder = folder;
    this.caseText = caseText;
  }

  /** Skips the test where the Makefile did not build this. */
  public static Path requireTwin(String program) {
    assumeTrue(
        Files.exists(TWINS.resolve(program)), "skipped: target/c/" + program + " was not built");
    return TWINS.resolve(program);
  }

  /** Skips the test where no contestants of this program can run. */
  public static void requireLab(String program) throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "skipped: needs root");
    Path _ = requireTwin(program);
    assumeTrue(
        freeHugePages() >= MIN_HUGE_PAGES,
        "skipped: needs " + MIN_HUGE_PAGES + " free huge pages of 2 MiB");
  }

  private static int freeHugePages() throws IOException {
    Path memory = Path.of("/proc/meminfo");
    if (!Files.exists(memory)) {
      return 0;
    }
    Matcher free = Pattern.compile("HugePages_Free:\\s*(\\d+)").matcher(Files.readString(memory));
    return free.find() ? Integer.parseInt(free.group(1)) : 0;
  }

  /** Lines of progress. */
  public List<String> said() {
    return said;
  }

  /** By case. */
  public Map<String, Result> results() {
    return results;
  }

  public List<Chart> charts() {
    return charts;
  }

  /** Reasons by case. */
  public Map<String, String> skipped() {
    return skipped;
  }

  @Override
  public boolean quick() {
    return true;
  }

  @Override
  public Duration budget() {
    return Duration.ofSeconds(12);
  }

  @Override
  public Duration left() {
    return budget();
  }

  @Override
  public int pairs() {
    return 7;
  }

  @Override
  public int jvms() {
    return 2;
  }

  @Override
  public int cpu() {
    return Runtime.getRuntime().availableProcessors() - 1;
  }

  @Override
  public int otherCpu() {
    return 0;
  }

  @Override
  public Path twin(String program) {
    return requireTwin(program);
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Override
  public List<String> javaCommand(String mainClass, String... jvmOptions) {
    List<String> words = new ArrayList<>();
    words.add(ProcessHandle.current().info().command().orElse("java"));
    words.addAll(List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    words.addAll(List.of(jvmOptions));
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
    return words;
  }

  @Override
  public void say(String line) {
    said.add(line);
  }

  @Override
  public boolean wants(String caseName) {
    return caseName.contains(caseText);
  }

  @Override
  public void add(Result result) {
    assertThat(results.put(result.caseName(), result)).as("a case twice").isNull();
  }

  @Override
  public void add(Chart chart) {
    charts.add(chart);
  }

  @Override
  public void conclude(String sentence) {}

  @Override
  public void skip(String caseName, String reason) {
    skipped.put(caseName, reason);
  }
}
