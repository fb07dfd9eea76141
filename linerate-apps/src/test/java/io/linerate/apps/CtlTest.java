package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpServer;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.worker.Engine;
import io.linerate.dashboard.Dashboard;
import io.linerate.dashboard.DashboardFile;
import io.linerate.dashboard.DashboardSettings;
import io.linerate.dashboard.WatchedProgram;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.stream.Sources;
import io.linerate.stream.Streams;
import io.linerate.testkit.CommentedPacket;
import io.linerate.testkit.Frames;
import io.linerate.testkit.Packets;
import io.linerate.testkit.graph.FrameBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A firewall that runs is told what to do from a shell. */
class CtlTest {
  @TempDir Path folder;

  private static String pid() {
    return String.valueOf(ProcessHandle.current().pid());
  }

  private static Run ctl(String... order) {
    List<String> arguments = new ArrayList<>(List.of("ctl", pid()));
    arguments.addAll(Arrays.asList(order));
    return Run.of(arguments.toArray());
  }

  private Path captured() {
    Path capture = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(capture, 0)) {
      for (byte[] frame : Frames.numbered(1_000, 64)) {
        frame[12] = 8;
        frame[13] = 0;
        frame[14] = 0x45;
        frame[16] = 0;
        frame[17] = 50;
        frame[26] = 10;
        writer.write(packets.of(frame));
      }
    }
    return capture;
  }

  private Path configuration() throws Exception {
    Path rules = folder.resolve("rules");
    Files.writeString(rules, "drop 192.168.0.0/16\n");
    Path file = folder.resolve("fw.properties");
    Files.writeString(
        file,
        "ports=in=pcap:rx=%s,loop=forever; out=pcap:tx=/dev/null\nrules=%s\nduration=1h\n"
            .formatted(captured(), rules));
    return file;
  }

  @Test
  void shouldTellARunningFirewallWhatToDo() throws Exception {
    Path file = configuration();
    AtomicReference<Run> ended = new AtomicReference<>();
    Thread firewall = start(ended, file);
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    assertThat(ctl("rules").out()).contains("drop 192.168.0.0/16", "default pass");
    assertThat(ctl("add-rule", "drop 10.0.0.0/8", "0").status()).isZero();
    while (dropped() == 0 && System.nanoTime() < endNs) {
      Thread.sleep(20);
    }
    assertThat(dropped()).isPositive();
    captureDrops();
    assertThat(ctl("runtime").out().lines())
        .hasSize(5)
        .anyMatch(line -> line.matches("rules0 +0 +[0-9.]+ [kM]?pps +[0-9.]+ +[0-9.]+ +[0-9.]+ %"))
        .anyMatch(line -> line.matches("\\(ports and the rest\\) +0 +- +- +- +[0-9.]+ %"));
    assertThat(ctl("remove-rule", "1", "drop 10.0.0.0/8").err()).contains("no such rule");
    assertThat(ctl("remove-rule", "0", "drop 10.0.0.0/8").status()).isZero();
    assertThat(ctl("rules").out()).doesNotContain("10.0.0.0/8");
    assertThat(Long.parseLong(ctl("read", "rules0.packets").out().strip())).isPositive();
    assertThat(ctl("read", "gate").err()).contains("name=gate; write gate.HANDLER");
    assertThat(ctl("move", "in", "0", "7").err()).contains("no such worker: worker=7");
    assertThat(ctl("tap", "in0", "rules0").status()).isEqualTo(2);
    requireSentencesAboutEdges();
    assertThat(Run.of("ctl", "nobody", "rules").err()).contains("no such program");
    assertThat(Run.of("ctl", "list").out().lines())
        .anyMatch(line -> line.matches("firewall +" + pid() + " +00:0[0-9:]+ +http://127.*"));
    assertThat(ctl("list").err()).contains("list is of all programs: program=" + pid());
    Run unknown = Run.of("ctl", "frewall", "list");
    assertThat(unknown.status()).isEqualTo(1);
    assertThat(unknown.err())
        .startsWith("linerate: no such program runs: program=frewall, running=")
        .contains(pid() + " (firewall)")
        .endsWith("; linerate ctl list shows what runs\n");
    assertThat(ctl("rulez").err()).contains("no such order: order=rulez; see linerate ctl --help");
    assertThat(ctl("loglevel").out().strip()).isEqualTo("INFO");
    assertThat(ctl("loglevel", "debug").status()).isZero();
    assertThat(ctl("loglevel").out().strip()).isEqualTo("DEBUG");
    assertThat(ctl("loglevel", "loud").err()).contains("no such level: level=loud");
    assertThat(Run.of("ctl", "--url", url(), "loglevel", "INFO").status()).isZero();
    assertThat(ctl("add-rule", "pass 10.0.0.0/8 udp").status()).isZero();
    Run policy = ctl("add-rule", "default pass");
    assertThat(policy.status()).isEqualTo(2);
    assertThat(policy.err()).contains("not one rule, but for all of them: line=default pass;");
    stop(firewall);
    assertThat(ctl("rules").err()).contains("no such program");
    assertThat(
            ended.get().json().getAsJsonArray("rules").asList().stream()
                .map(rule ->
                    rule.getAsJsonObject().get("line") + " " + rule.getAsJsonObject().get("rule")))
        .containsExactly("1 \"drop 192.168.0.0/16\"", "0 \"pass 10.0.0.0/8 udp\"");
  }

  /** Of a program that has stages which are left to the engine. */
  @Test
  void shouldMoveAStage() {
    Graph graph =
        Streams.graph(s ->
            s.longs("numbers", Sources.range(0, Long.MAX_VALUE))
                .anywhere("queue", 64)
                .sink("end", _ -> {}));
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withWorkers(2))) {
      GraphRunner runner = GraphRunner.install(graph, engine);
      try (Dashboard _ =
          Dashboard.start(
              DashboardSettings.DEFAULT.withAddress("127.0.0.1:0"),
              new WatchedProgram(engine, runner))) {
        engine.start();
        for (int worker : new int[] {1, 0}) {
          assertThat(ctl("move", "end", String.valueOf(worker)).status()).isZero();
          assertThat(ctl("explain").out())
              .containsPattern(
                  "worker " + worker + ": receives nothing\n(  num.*\n  queue.*\n)?  stage")
              .contains("stage left to the engine, moved by hand: the balancer leaves it there");
        }
        assertThat(ctl("move", "end", "anywhere").status()).isZero();
        assertThat(ctl("explain").out()).contains("given back to the balancer");
        assertThat(ctl("move", "numbers", "1").err())
            .contains("element is in no stage that is left to the engine: element=numbers");
        assertThat(ctl("move", "end", "7").err()).contains("no such worker: worker=7");
        assertThat(ctl("move", "end", "there").err()).contains("not a number: WORKER=there");
        assertThat(ctl("move", "end").err())
            .contains("wrong number of arguments: order=move, arguments=1;");
      }
    }
  }

  private static void requireSentencesAboutEdges() {
    Run wrong = ctl("tap", "in0", "out0", "10");
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err())
        .isEqualTo("linerate: no such edge: from=in0, to=out0; in0 leads to rules0\n");
    assertThat(ctl("tap", "out0", "in0", "10").err()).contains("; out0 leads to none");
    assertThat(ctl("tap", "gate", "in0", "10").err())
        .contains("; there are the elements in0, rules0, out0");
  }

  @Test
  void shouldSayWhyAValueCannotBeWritten() throws Exception {
    Path file = folder.resolve("route.properties");
    Files.writeString(
        file,
        "ports=lan=pcap:%1$s; wan=pcap:%1$s\nlinks=lan 10.0.0.1/24; wan 192.0.2.2/24\n"
            .formatted("rx=" + captured() + ",loop=forever,tx=/dev/null"));
    AtomicReference<Run> ended = new AtomicReference<>();
    Thread router = start(ended, "state", "route", "--dashboard", "127.0.0.1:0", file);
    Run length = ctl("write", "route-lan.add", "203.0.113.0/33 via 192.0.2.1");
    assertThat(length.status()).isEqualTo(2);
    assertThat(length.err()).startsWith("linerate: ").contains("203.0.113.0/33").hasLineCount(1);
    Run link = ctl("write", "route-lan.add", "203.0.113.0/24 dev gate");
    assertThat(link.status()).isEqualTo(2);
    assertThat(link.err()).contains("no such link: dev=gate").contains("there are lan, wan");
    assertThat(ctl("write", "route-lan.remove", "203.0.113.0/24").err())
        .isEqualTo("linerate: no such route: prefix=203.0.113.0/24\n");
    assertThat(ctl("write", "route-lan.add", "203.0.113.0/24 via 192.0.2.1").status()).isZero();
    assertThat(ctl("write", "from-lan.packets", "1").err()).contains("; it has none");
    stop(router);
    assertThat(ended.get().err()).doesNotContain("request failed", "203.0.113");
  }

  /** Its dashboard is seen in the list, and out of reach. */
  @Test
  void shouldSayThatAProgramMayRunInAnotherNetworkNamespace() throws Exception {
    List<String> elsewhere =
        List.of("unshare", "--net", "sh", "-c", "ip link set lo up && exec \"$@\"", "sh");
    assumeTrue(canRun(elsewhere), "needs to be root, and the programs unshare and ip");
    List<String> command = new ArrayList<>(elsewhere);
    command.addAll(
        ChildJvm.command(Main.class.getName(), "firewall", "--dashboard", configuration()));
    Process program =
        new ProcessBuilder(command)
            .redirectError(folder.resolve("err").toFile())
            .redirectOutput(folder.resolve("out").toFile())
            .start();
    try {
      String pid = String.valueOf(program.pid());
      Run run = Run.of("ctl", pid, "rules");
      long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
      while (run.err().contains("no such program") && System.nanoTime() < endNs) {
        Thread.sleep(50);
        run = Run.of("ctl", pid, "rules");
      }
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err())
          .matches(
              "linerate: program cannot be reached: url=http://127.0.0.1:[0-9]+/, reason=nobody listens there;"
                  + " it lives, perhaps in another network namespace: ask by ip netns exec NAME linerate ctl\n");
    } finally {
      program.destroyForcibly();
    }
    assertThat(Run.of("ctl", "--url", "http://127.0.0.1:1/", "rules").err())
        .endsWith("url=http://127.0.0.1:1/, reason=nobody listens there; see that it runs\n");
    assertThat(Run.of("ctl", "--url", "http://no.such.invalid/", "rules").err())
        .contains("reason=no address is known of the host; see that it runs");
  }

  private static boolean canRun(List<String> prefix) throws Exception {
    List<String> command = new ArrayList<>(prefix);
    command.add("true");
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private void captureDrops() throws Exception {
    String id =
        ctl("tap-drops", "10", "reason=rule", "element=rules0", "filter=ip", "bytes=40")
            .out()
            .strip();
    Path file = folder.resolve("drops.pcapng");
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!ctl("taps").out().contains("ended") && System.nanoTime() < endNs) {
      Thread.sleep(20);
    }
    assertThat(ctl("taps").out())
        .matches(
            " +1  drops reason=rule element=rules0 filter=ip 10 of 10 packets, [0-9]+ missed, ended\n");
    assertThat(ctl("save-tap", id, file.toString()).status()).isZero();
    assertThat(CommentedPacket.read(file))
        .hasSize(10)
        .allMatch(packet -> packet.comment().equals("reason=rule, element=rules0, worker=0"))
        .allMatch(packet -> packet.bytes().length == 40);
    assertThat(ctl("end-tap", id).status()).isZero();
    assertThat(ctl("taps").out()).isEmpty();
    assertThat(ctl("tap-drops", "10", "rule").err())
        .contains(
            "argument=rule; write reason=REASON, element=ELEMENT, filter=EXPRESSION or bytes=N");
    assertThat(ctl("tap-drops", "10", "filter=tcp prt 80").err())
        .contains("wrong filter: filter=tcp prt 80, at=5, found=prt, ");
    assertThat(ctl("tap", "in0", "rules0", "10", "reason=rule").err())
        .contains("argument=reason=rule; write filter=EXPRESSION or bytes=N");
    String none = ctl("tap", "in0", "rules0", "10", "filter=arp").out().strip();
    assertThat(ctl("taps").out()).contains("in0 to rules0 filter=arp").contains(" 0 of 10 packets");
    assertThat(ctl("end-tap", none).status()).isZero();
    assertThat(ctl("tap-drops", "10", "element=gate").err())
        .contains("no such element: element=gate; there are in0, rules0, out0");
  }

  /**
   * Whatever answers at an address: nothing of it controls the terminal, and no answer is a bug.
   */
  @Test
  void shouldBelieveNothingOfWhatAnswers() throws Exception {
    AtomicReference<String> answer = new AtomicReference<>("");
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = answer.get().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    try {
      String escape = "\\u001b]0;title\\u0007";
      answer.set("[{\"index\":\"%s\",\"hits\":1,\"rule\":\"%s\"}]".formatted(escape, escape));
      assertThat(Run.of("ctl", "--url", url, "rules").out())
          .contains("title")
          .doesNotContain("\033");
      answer.set("{\"value\":\"%s\"}".formatted(escape));
      assertThat(Run.of("ctl", "--url", url, "read", "a.b").out())
          .contains("title")
          .doesNotContain("\033");
      assertThat(Run.of("ctl", "--url", url, "loglevel").out()).doesNotContain("\033");
      for (String wrong : List.of("[]", "{}", "null", "7", "[{}]", "{\"value\":[1,2]}", "<html>")) {
        answer.set(wrong);
        for (String order : List.of("rules", "read", "taps", "runtime", "loglevel")) {
          Run run =
              order.equals("read")
                  ? Run.of("ctl", "--url", url, "read", "a.b")
                  : Run.of("ctl", "--url", url, order);
          assertThat(run.err()).as(order + " " + wrong).doesNotContain("a bug in");
          if (run.status() != 0) {
            assertThat(run.err()).contains("program does not answer as it should: url=" + url);
          }
        }
      }
    } finally {
      server.stop(0);
    }
  }

  @Test
  void shouldSayWhatAProgramHasNot() throws Exception {
    try (ChildJvm program =
        new ChildJvm(
            folder,
            Main.class.getName(),
            "generate",
            "--port",
            "pcap:tx=/dev/null",
            "--rate",
            "100pps",
            "--set",
            "programname=sender",
            "--dashboard",
            "127.0.0.1:0")) {
      String pid = String.valueOf(program.pid());
      long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
      while (Run.of("ctl", pid, "taps").status() != 0 && System.nanoTime() < endNs) {
        Thread.sleep(50);
      }
      for (String order : List.of("rules", "reload", "read a.b")) {
        List<String> words = new ArrayList<>(List.of("ctl", pid));
        words.addAll(List.of(order.split(" ", -1)));
        Run run = Run.of(words.toArray());
        assertThat(run.status()).as(order).isEqualTo(1);
        assertThat(run.err()).startsWith("linerate: program has no ").hasLineCount(1);
      }
      assertThat(Run.of("ctl", "sender", "rules").err()).contains("program has no rules: url=http");
      assertThat(Run.of("ctl", pid, "stop").status()).isZero();
      assertThat(program.status()).isZero();
    }
  }

  @Test
  void shouldRefuseAddressesThatAreNone() {
    for (String url : List.of("127.0.0.1:8080", "localhost:8080", "ftp://a/", "http:///x", "a b")) {
      Run run = Run.of("ctl", "--url", url, "rules");
      assertThat(run.status()).as(url).isEqualTo(2);
      assertThat(run.err())
          .isEqualTo(
              "linerate: not the address of a page: url=%s; write http://HOST:PORT/ or https://HOST:PORT/\n"
                  .formatted(url));
    }
  }

  /** The lines of docs/dashboard.md, in their order. */
  @Test
  void shouldDoWhatTheDocumentationShows() throws Exception {
    String doc = Files.readString(Path.of("..", "docs", "dashboard.md"));
    List<String> lines =
        doc.substring(doc.indexOf("## From a shell"), doc.indexOf("## Who may"))
            .lines()
            .filter(line -> line.startsWith("linerate "))
            .toList();
    List<Object> start = new ArrayList<>(List.of(Main.class.getName()));
    start.addAll(words(lines.getFirst()));
    Process firewall =
        new ProcessBuilder(ChildJvm.command(start.toArray()))
            .directory(Path.of("..").toFile())
            .redirectError(folder.resolve("err").toFile())
            .redirectOutput(folder.resolve("out").toFile())
            .start();
    try {
      long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(180);
      while (tell(firewall, words(lines.get(2))).status() != 0 && System.nanoTime() < endNs) {
        Thread.sleep(50);
      }
      for (String line : lines.subList(1, lines.size())) {
        Run run = tell(firewall, words(line));
        assertThat(run.status()).as(line + ": " + run.err()).isZero();
        int comment = line.indexOf(" # ");
        assertThat(run.out().strip()).contains(comment < 0 ? "" : line.substring(comment + 3));
      }
      assertThat(firewall.waitFor(180, TimeUnit.SECONDS)).isTrue();
      assertThat(folder.resolve("seen.pcapng")).isNotEmptyFile();
    } finally {
      firewall.destroyForcibly();
    }
  }

  /** Without the name of the command; one in quotation marks may have spaces in it. */
  private static List<String> words(String line) {
    return Pattern.compile("'([^']*)'|[^'\\s]+")
        .matcher(line.replaceFirst(" # .*", ""))
        .results()
        .map(word -> word.group(1) == null ? word.group() : word.group(1))
        .skip(1)
        .toList();
  }

  /** An order, for one program of those that run on this machine, with its file in the folder. */
  private Run tell(Process program, List<String> words) {
    List<String> all = new ArrayList<>(words);
    if (!all.contains("list")) {
      all.add(1, String.valueOf(program.pid()));
    }
    all.replaceAll(word -> word.endsWith(".pcapng") ? folder.resolve(word).toString() : word);
    return Run.of(all.toArray());
  }

  /** Of the page that runs in this process: its token is in its file. */
  private static String url() {
    return DashboardFile.running().stream()
        .filter(entry -> entry.pid() == ProcessHandle.current().pid())
        .map(DashboardFile.Entry::url)
        .findFirst()
        .orElseThrow();
  }

  private static Thread start(AtomicReference<Run> ended, Path file) throws InterruptedException {
    return start(ended, "rules", "firewall", "--json", "--dashboard", "127.0.0.1:0", file);
  }

  /**
   * Starts a program in this process.
   *
   * @param order that it knows as soon as it runs
   */
  private static Thread start(AtomicReference<Run> ended, String order, Object... arguments)
      throws InterruptedException {
    Thread program = new Thread(() -> ended.set(Run.of(arguments)), "program");
    program.start();
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (ctl(order).status() != 0 && System.nanoTime() < endNs) {
      Thread.sleep(50);
    }
    return program;
  }

  private static void stop(Thread program) throws InterruptedException {
    assertThat(ctl("stop").status()).isZero();
    program.join(TimeUnit.SECONDS.toMillis(120));
    assertThat(program.isAlive()).isFalse();
  }

  /** What tells senders is there in each gateway, whatever its rules said at the start. */
  @Test
  void shouldHaveARunningGatewayRejectThoughNoRuleDid() throws Exception {
    byte[] frame = FrameBuilder.udp4().between("10.0.0.5", "192.0.2.9").toBytes();
    Path in = PcapFile.write(folder.resolve("in.pcap"), List.of(frame));
    Path file =
        Files.writeString(
            folder.resolve("gateway.properties"),
            """
            ports=lan=pcap:rx=%s,tx=/dev/null,loop=forever; wan=pcap:rx=%s,tx=/dev/null,loop=forever
            links=lan 10.0.0.1/24 fd00:1::1/64; wan 192.0.2.2/24 fd00:2::2/64
            macs=02:00:00:00:00:0b,02:00:00:00:00:02
            rule_lines=pass in lan; default drop
            """
                .formatted(in, PcapFile.write(folder.resolve("none.pcap"), List.of(new byte[60]))));
    AtomicReference<Run> ended = new AtomicReference<>();
    Thread gateway = start(ended, "rules", "gateway", "--json", "--dashboard", "127.0.0.1:0", file);
    assertThat(ctl("add-rule", "reject in lan udp", "0").err()).isEmpty();
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (ctl("read", "error-lan.packets").out().strip().equals("0")
        && System.nanoTime() < endNs) {
      Thread.sleep(20);
    }
    stop(gateway);
    assertThat(ended.get().dropped("reported")).isPositive();
  }

  @Test
  void shouldTakeOverWhatARunningProgramCanOfItsConfiguration() throws Exception {
    Path file = configuration();
    Thread firewall = start(new AtomicReference<>(), file);
    String text = Files.readString(file);
    Path rules = folder.resolve("other-rules");
    Files.writeString(rules, "drop 172.16.0.0/12\n");
    Files.writeString(
        file, text.replace(folder.resolve("rules").toString(), rules.toString()) + "rxburst=128\n");

    assertThat(ctl("reload").out())
        .isEqualTo("holds now: rules=" + rules + "\nneeds a restart: rxburst=128\n");
    assertThat(ctl("rules").out()).contains("drop 172.16.0.0/12").doesNotContain("192.168");
    Files.writeString(rules, "nonsense\n");
    Run refused = ctl("reload");
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("other-rules:1: not a rule");
    Files.writeString(file, text + "rxburst=0\n");
    assertThat(ctl("reload").err()).contains("rxburst=0");
    assertThat(ctl("rules").out()).contains("drop 172.16.0.0/12");
    stop(firewall);
  }

  private static long dropped() {
    return JsonParser.parseString(ctl("state").out())
            .getAsJsonObject()
            .getAsJsonObject("totals")
            .getAsJsonObject("dropped")
            .has("rule")
        ? 1
        : 0;
  }
}
