package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a script that knows no Linerate says of windows, by its own reading and by tshark's. */
class WindowsJudgesTest {
  private static final long TIMEOUT_S = 1_500;
  private static final long SMALL_BYTES = 10_000_000;
  private static final long LARGE_BYTES = 950_000_000;
  private static final long NS_PER_S = 1_000_000_000;

  @TempDir Path folder;

  /** What is asked of everybody. */
  private record Question(int windowS, int scanPorts, int scanHosts, int floodSyns) {
    List<String> ofScript() {
      return Stream.of(windowS * NS_PER_S, scanPorts, scanHosts, floodSyns)
          .map(Object::toString)
          .toList();
    }
  }

  private static void require(String program) {
    boolean isThere =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
            .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    assumeTrue(isThere, "skipped: needs the program " + program);
  }

  /** What a pipe of programs prints, in the order of the alphabet. */
  private List<String> run(List<List<String>> programs) throws Exception {
    Path out = folder.resolve("out.txt");
    Path err = folder.resolve("err.txt");
    List<ProcessBuilder> builders = new ArrayList<>();
    for (List<String> words : programs) {
      builders.add(new ProcessBuilder(words).redirectError(err.toFile()));
    }
    builders.getLast().redirectOutput(out.toFile());
    List<Process> processes = ProcessBuilder.startPipeline(builders);
    try {
      for (Process process : processes) {
        assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
      }
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
    try (Stream<String> lines = Files.lines(out)) {
      return lines.sorted().toList();
    }
  }

  private Path script() throws IOException {
    Path script = folder.resolve("windows.py");
    try (var in =
        Objects.requireNonNull(WindowsJudgesTest.class.getResourceAsStream("windows.py"))) {
      Files.write(script, in.readAllBytes());
    }
    return script;
  }

  private List<String> ofScript(Path file, Question question) throws Exception {
    List<String> words =
        new ArrayList<>(List.of("python3", script().toString(), "pcap", file.toString()));
    words.addAll(question.ofScript());
    return run(List.of(words));
  }

  private List<String> ofTshark(Path file, Question question) throws Exception {
    String script = script().toString();
    List<String> tshark =
        new ArrayList<>(
            List.of(
                "tshark",
                "-n",
                "-r",
                file.toString(),
                "-T",
                "fields",
                "-E",
                "occurrence=f",
                "-o",
                "ip.defragment:FALSE",
                "-o",
                "tcp.desegment_tcp_streams:FALSE"));
    for (String name :
        run(List.of(List.of("python3", script, "names"))).getFirst().split(" ", -1)) {
      tshark.addAll(List.of("-e", name));
    }
    List<String> words = new ArrayList<>(List.of("python3", script, "fields", "-"));
    words.addAll(question.ofScript());
    return run(List.of(tshark, words));
  }

  private static Run ours(Path file, Question question, int workers) {
    Run run =
        Run.of(
            "flows",
            file,
            "--json",
            "--top",
            100_000,
            "--max",
            1 << 18,
            "--window",
            question.windowS + "s",
            "--scan-ports",
            question.scanPorts,
            "--scan-hosts",
            question.scanHosts,
            "--flood-syns",
            question.floodSyns,
            "--set",
            "workers=" + workers);
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).doesNotContain("warning").contains(" windows of ");
    return run;
  }

  /** Rows as the script has them. */
  private static List<String> lines(Run run) {
    return run.out().lines().map(WindowsJudgesTest::line).sorted().toList();
  }

  private static String line(String json) {
    JsonObject row = JsonParser.parseString(json).getAsJsonObject();
    String kind = row.get("kind").getAsString();
    Instant start = Instant.parse(row.get("windowStart").getAsString());
    String begin = "%s|%d%09d".formatted(kind, start.getEpochSecond(), start.getNano());
    return begin
        + switch (kind) {
          case "window" ->
              values(
                  row,
                  "packets",
                  "bytes",
                  "flows",
                  "tcpConnections",
                  "udpConnections",
                  "questions");
          case "flow" -> flow(row);
          case "host" ->
              values(row, "host", "flows", "packets", "bytes", "packetsBack", "bytesBack");
          case "name" -> values(row, "name", "questions");
          case "port_scan" -> values(row, "source", "destination", "ports");
          case "host_scan" -> values(row, "source", "hosts", "ports");
          default ->
              values(row, "destination", "destinationPort", "syns", "connections", "sources");
        };
  }

  /** The script does not know who has begun: the lesser end comes first. */
  private static String flow(JsonObject row) {
    String source = values(row, "source", "sourcePort");
    String destination = values(row, "destination", "destinationPort");
    String there = values(row, "packets", "bytes");
    String back = values(row, "packetsBack", "bytesBack");
    int order =
        Arrays.compareUnsigned(
            address(row.get("source").getAsString()),
            address(row.get("destination").getAsString()));
    boolean isLess =
        order < 0 || (order == 0 && number(row, "sourcePort") < number(row, "destinationPort"));
    return values(row, "protocol")
        + (isLess ? source + destination + there + back : destination + source + back + there);
  }

  private static byte[] address(String text) {
    try {
      return InetAddress.getByName(text).getAddress();
    } catch (UnknownHostException e) {
      throw new AssertionError("not an address: " + text, e);
    }
  }

  private static long number(JsonObject row, String name) {
    return row.has(name) ? row.get(name).getAsLong() : 0;
  }

  private static String values(JsonObject row, String... names) {
    StringBuilder values = new StringBuilder();
    for (String name : names) {
      values.append('|').append(row.has(name) ? row.get(name).getAsString() : "0");
    }
    return values.toString();
  }

  private static void shouldHaveAll(List<String> lines) {
    for (String kind :
        List.of("window", "flow", "host", "name", "port_scan", "host_scan", "syn_flood")) {
      assertThat(lines).as(kind).anyMatch(line -> line.startsWith(kind + "|"));
    }
  }

  private static void shouldBeSame(List<String> ours, List<String> theirs) {
    if (!ours.equals(theirs)) { // Of so many, those that differ.
      assertThat(ours.stream().filter(Predicate.not(new HashSet<>(theirs)::contains)).limit(5))
          .as("lines that only we have")
          .isEmpty();
    }
    assertThat(ours.size()).isEqualTo(theirs.size());
    assertThat(ours.equals(theirs)).isTrue();
  }

  @Test
  void shouldTellWhatAScriptTellsOnOneWorkerAndOnTwo() throws Exception {
    require("python3");
    Path file = WindowTraffic.write(folder.resolve("small.pcap"), SMALL_BYTES);
    Question question = new Question(5, 20, 20, 60);
    Run one = ours(file, question, 1);
    List<String> lines = lines(one);
    shouldHaveAll(lines);
    shouldBeSame(lines, ofScript(file, question));
    assertThat(ours(file, question, 2).out().equals(one.out())).isTrue();
    for (Question other : List.of(new Question(1, 10, 10, 20), new Question(60, 10, 10, 20))) {
      shouldBeSame(lines(ours(file, other, 2)), ofScript(file, other));
    }
  }

  @Test
  void shouldTellWhatTsharkTells() throws Exception {
    require("python3");
    require("tshark");
    Path file = WindowTraffic.write(folder.resolve("small.pcap"), SMALL_BYTES);
    Question question = new Question(5, 20, 20, 60);
    shouldBeSame(lines(ours(file, question, 1)), ofTshark(file, question));
  }

  @Test
  @Tag("soak")
  void shouldTellTheSameOfALargeCapture() throws Exception {
    require("python3");
    require("tshark");
    Path file = WindowTraffic.write(folder.resolve("large.pcap"), LARGE_BYTES);
    assertThat(Files.size(file)).isGreaterThanOrEqualTo(1L << 30);
    Question question = new Question(1, 100, 100, 1_000);
    Run one = ours(file, question, 1);
    assertThat(ours(file, question, 2).out().equals(one.out())).isTrue();
    List<String> lines = lines(one);
    shouldHaveAll(lines);
    shouldBeSame(lines, ofScript(file, question));
    shouldBeSame(lines, ofTshark(file, question));
  }
}
