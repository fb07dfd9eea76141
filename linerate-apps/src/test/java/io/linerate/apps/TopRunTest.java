package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.linerate.core.counter.CountersPublisher;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleUnit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code linerate top} in a pseudo-terminal. */
class TopRunTest {
  private static final String NAME = "top-run-test-" + ProcessHandle.current().pid();
  private static final String LEAVE_SCREEN = "\u001B[?1049l";
  private static final int PORTS = 300;

  @TempDir Path folder;

  /** A firewall that drops one of three packets, a thousand of them a second. */
  private ChildJvm firewall(String name) throws Exception {
    Path traffic =
        PcapFile.write(
            folder.resolve("in.pcap"),
            List.of(Frame.udp(1, 64), Frame.udp(2, 99), Frame.udp(3, 64)));
    Path rules = Files.writeString(folder.resolve("rules"), "drop 10.0.0.2\n");
    Path config =
        Files.writeString(
            folder.resolve("fw.properties"),
            "programname=%s\nports=in=pcap:rx=%s,loop=forever,pace=recorded;out=pcap:tx=/dev/null\nrules=%s\n"
                .formatted(name, traffic, rules));
    return new ChildJvm(folder, Main.class.getName(), "firewall", config, "--json");
  }

  private static Terminal top(
      int rows, int columns, Map<String, String> environment, String program) throws Exception {
    return new Terminal(
        rows,
        columns,
        environment,
        ChildJvm.command(Main.class.getName(), "top", program, "--interval", "250ms"));
  }

  /** What stays on the terminal, as lines. */
  private static List<String> left(Terminal terminal) {
    String written = terminal.written();
    int end = written.lastIndexOf(LEAVE_SCREEN);
    assertThat(end).isPositive();
    return written
        .substring(end)
        .replaceAll("\u001B\\[[0-9;?]*[A-Za-z]|\u001B[=>]", "")
        .lines()
        .map(String::stripTrailing)
        .filter(line -> !line.isEmpty())
        .toList();
  }

  private static String exact(JsonObject json, String member) {
    return String.format(Locale.ROOT, "%,d", json.get(member).getAsLong());
  }

  @Test
  void shouldEndWithTheProgramAndShowTheTotalsOfItsSummary() throws Exception {
    try (ChildJvm program = firewall(NAME);
        Terminal terminal = startedTop(NAME)) {
      List<String> rows = terminal.await("DROPPED");
      assertThat(rows.getFirst()).contains(NAME, "up 00:", "by name");
      rows =
          terminal.await(shown ->
              shown.stream().anyMatch(row -> row.matches(" rule +[1-9][0-9.]* +[1-9][0-9,]*"))
                  && shown.stream().anyMatch(row -> row.matches(" in .* [1-9][0-9.]*k? .*")));
      assertThat(rows)
          .anyMatch(row -> row.matches(" 0 +[0-9]+ % .*[░█].*"))
          .anyMatch(row -> row.contains("▁") || row.contains("█"))
          .anyMatch(row -> row.startsWith(" JVM ") && row.contains("heap"));

      program.terminate();
      assertThat(program.status()).isZero();
      assertThat(terminal.end()).isEqualTo("status 0 restored");
      JsonObject json = JsonParser.parseString(ChildJvm.text(folder, "out")).getAsJsonObject();
      List<String> left = left(terminal);
      assertThat(left.getFirst())
          .startsWith(
              "%s: %s received, %s sent, %s dropped, 0 in flight in "
                  .formatted(
                      NAME,
                      exact(json, "received"),
                      exact(json, "sent"),
                      exact(json.getAsJsonObject("dropped"), "rule")));
      assertThat(left)
          .contains("  dropped as rule: " + exact(json.getAsJsonObject("dropped"), "rule"))
          .contains("linerate: the program has ended: program=" + NAME + ", pid=" + program.pid());
      for (JsonElement element : json.getAsJsonArray("ports")) {
        JsonObject port = element.getAsJsonObject();
        assertThat(left)
            .contains(
                "  %s %s: rx %s packets %s bytes, tx %s packets %s bytes, missed %s, errors %s"
                    .formatted(
                        port.get("name").getAsString(),
                        port.get("address").getAsString(),
                        exact(port, "rxPackets"),
                        exact(port, "rxBytes"),
                        exact(port, "txPackets"),
                        exact(port, "txBytes"),
                        exact(port, "missed"),
                        exact(port, "errors")));
      }
    }
  }

  /** The program needs a moment until it has published its numbers. */
  private static Terminal startedTop(String program) throws Exception {
    while (Run.of("stats", program).status() != 0) {
      Thread.sleep(20);
    }
    return top(40, 160, Map.of(), program);
  }

  @Test
  void shouldGiveTheTerminalBackOnASignalAndSayWhenAProgramWasKilled() throws Exception {
    String name = NAME + "-killed";
    try (ChildJvm program = firewall(name)) {
      try (Terminal terminal = startedTop(name)) {
        terminal.await("DROPPED");
        terminal.terminate();
        assertThat(terminal.end()).isEqualTo("status 0 restored");
        assertThat(left(terminal)).first().asString().startsWith(name + ": ");
      }
      // Where only ASCII can be shown, nothing else is written.
      try (Terminal terminal = top(24, 80, Map.of("LC_ALL", "C"), name)) {
        terminal.await(rows -> rows.stream().anyMatch(row -> row.matches("[ _.:=+*#-]*#.*")));
        program.kill();
        assertThat(terminal.end()).isEqualTo("status 0 restored");
        assertThat(terminal.written()).matches("\\p{ASCII}*");
        assertThat(left(terminal)).last().asString().contains("gone without its last numbers");
      }
    }
  }

  @Test
  void shouldLetOneChooseAmongProgramsAndLeadBackWhenThatEnds() throws Exception {
    String one = NAME + "-one";
    String other = NAME + "-other";
    Path second = Files.createDirectory(folder.resolve("second"));
    try (ChildJvm program = firewall(one);
        ChildJvm sender =
            new ChildJvm(
                second,
                Main.class.getName(),
                "generate",
                "--port",
                "ring:" + other + ",loopback",
                "--receive",
                "ring:" + other + ",loopback",
                "--sequence",
                "--rate",
                "1kpps",
                "--duration",
                "1h",
                "--set",
                "programname=" + other)) {
      for (String name : List.of(one, other)) {
        while (Run.of("stats", name).status() != 0) {
          Thread.sleep(20);
        }
      }
      try (Terminal terminal =
          new Terminal(
              40,
              120,
              Map.of(),
              ChildJvm.command(Main.class.getName(), "top", "--interval", "250ms"))) {
        List<String> rows = terminal.await(one.substring(0, 20));
        assertThat(rows.getFirst()).contains("programs: ").contains("by name");
        // Other programs may run on this machine: down to ours.
        choose(terminal, sender.pid());
        rows =
            terminal.await(shown ->
                shown.stream()
                    .anyMatch(row -> row.matches(" TRAFFIC +asked 1\\.00kp/s +reached .* s left")));
        assertThat(rows)
            .anyMatch(row -> row.matches(" came back [0-9,]+ +lost [0-9,]+ +reordered 0 .*"))
            .anyMatch(row -> row.matches(" tx .*dropped \\+ lost .*"))
            .noneMatch(row -> row.startsWith(" rx "));
        terminal.type("l");
        terminal.await("programs: ");
        choose(terminal, program.pid());
        terminal.await("ELEMENT");
        terminal.await(shown ->
            shown.stream().anyMatch(row -> row.matches(" rules0 +[0-9.k]+ +[0-9.k]+ .*"))
                && shown.stream()
                    .anyMatch(row -> row.matches(" rx .*dropped \\+ lost [0-9.k]+/s .*")));
        program.terminate();
        rows = terminal.await("the program has ended: program=" + one);
        assertThat(rows.getFirst()).contains("programs: ");
        terminal.type("q");
        assertThat(terminal.end()).isEqualTo("status 0 restored");
      }
    }
  }

  private static void choose(Terminal terminal, long pid) throws Exception {
    terminal.type("\u001B[H");
    terminal.await(rows -> rows.get(2).startsWith(">"));
    for (int i = 0; i < 100 && !isMarked(terminal, pid); i++) {
      List<String> before = terminal.rows();
      terminal.type("j");
      terminal.await(rows -> !rows.equals(before) || isMarked(terminal, pid));
    }
    assertThat(isMarked(terminal, pid)).as(String.join("\n", terminal.rows())).isTrue();
    terminal.type("\r");
  }

  private static boolean isMarked(Terminal terminal, long pid) {
    return terminal.rows().stream().anyMatch(row -> row.matches(">.* " + pid + " .*"));
  }

  /** Ports of which the last are the busiest, the first lose most. */
  private static void ports(SampleSink sink) {
    long nowMs = System.currentTimeMillis();
    for (int i = 0; i < PORTS; i++) {
      sink.info("linerate_port_info", "port", "p" + i, "address", "ring:r" + i);
    }
    for (int i = 0; i < PORTS; i++) {
      sink.counter(
          "linerate_port_received_packets_total",
          SampleUnit.PACKETS,
          nowMs * (i + 1),
          "port",
          "p" + i);
    }
    for (int i = 0; i < PORTS; i++) {
      sink.counter(
          "linerate_port_missed_packets_total",
          SampleUnit.PACKETS,
          nowMs / 1_000 * (PORTS - i),
          "port",
          "p" + i);
    }
    sink.counter(
        "linerate_port_device_total", SampleUnit.NONE, 7_654, "port", "p299", "statistic", "rx_ok");
  }

  @Test
  void shouldFollowKeysAndFitAnyTerminalWithHundredsOfPorts() throws Exception {
    String name = NAME + "-ports";
    try (CountersPublisher _ =
            CountersPublisher.start(
                ProgramInfo.ofThisProcess(name), TopRunTest::ports, System::nanoTime);
        Terminal terminal = startedTop(name)) {
      terminal.await(" p0 ");
      terminal.resize(24, 80);
      List<String> rows = terminal.await(shown -> shown.getLast().contains("q quit"));
      assertThat(rows).hasSize(24);
      terminal.await("1-");
      terminal.type("r");
      // The first numbers have no rate yet.
      terminal.await(shown ->
          shown.getFirst().contains("by rate")
              && shown.stream().anyMatch(row -> row.startsWith(" p299 ")));
      terminal.type("\u001B[B\u001B[B");
      terminal.await(">p298");
      terminal.type("\u001BOA");
      terminal.await(shown ->
          shown.stream().anyMatch(row -> row.startsWith(">p299"))
              && shown.stream().anyMatch(row -> row.matches(" rx_ok +7,654 .*"))
              && shown.stream().anyMatch(row -> row.contains("RECEIVED BY p299")));
      terminal.type("d");
      terminal.await(shown -> shown.getFirst().contains("by drops"));
      terminal.type("\u001B[4~\t\t");
      terminal.await(">p0 ");
      terminal.type("p");
      terminal.await("held");
      terminal.resize(5, 20);
      rows = terminal.await(shown -> shown.size() == 5 && shown.getLast().startsWith(" q quit"));
      assertThat(rows).allMatch(row -> row.length() <= 20).anyMatch(row -> row.startsWith(">p0"));
      terminal.type("?");
      terminal.await(shown -> shown.get(2).contains("q, Ctrl-C"));
      terminal.type("\u0003");
      assertThat(terminal.end()).isEqualTo("status 0 restored");
      assertThat(left(terminal)).hasSize(1 + PORTS);
    }
  }

  @Test
  void shouldNameStatsWhereThereIsNoTerminal() {
    Run run = Run.of("top");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("linerate: no terminal to draw on: ")
        .contains("use linerate stats")
        .hasLineCount(1);
    assertThat(Run.of("top", "--interval", "1ms").err()).contains("interval is too short");
  }
}
