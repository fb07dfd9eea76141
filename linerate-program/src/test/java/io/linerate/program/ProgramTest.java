package io.linerate.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.linerate.core.config.ConfigException;
import io.linerate.core.log.LogEntry;
import io.linerate.core.log.ProgramLog;
import io.linerate.core.memory.DropReason;
import io.linerate.graph.Graph;
import io.linerate.graph.element.ArpQuerier;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import io.linerate.program.run.Console;
import io.linerate.testkit.CommentedPacket;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramTest {
  private static final String CAPTURE = "pcap:rx=../examples/captures/mixed.pcapng";
  private static final int PACKETS = 2_952;

  @TempDir Path folder;

  /** What one run said, and its exit status. */
  private record Run(int status, String out, String err) {
    static Run of(Program program, Consumer<Setup> wiring, String... arguments) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      Console console = new Console("test", print(out), print(err));
      int status = program.run(console, arguments, wiring);
      return new Run(
          status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static PrintStream print(ByteArrayOutputStream bytes) {
      return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    JsonObject json() {
      return JsonParser.parseString(out).getAsJsonObject();
    }
  }

  private static void count(Setup setup) {
    setup.engine().worker().input(setup.port("in"), burst -> burst.dropAll(DropReason.CONSUMED));
  }

  private static Program counter() {
    return Program.named("counter").ports("in");
  }

  @Test
  void shouldRunAndSayWhatBecameOfPackets() {
    Run run = Run.of(counter(), ProgramTest::count, CAPTURE);
    assertThat(run).isEqualTo(new Run(0, run.out, ""));
    assertThat(run.out).startsWith("counter: 2,952 received").contains("ended as consumed: 2,952");
  }

  /** What has an end says nothing but what it did. */
  @Test
  void shouldSayThatItIsUpIfItGoesOn() {
    String forEver = CAPTURE + ",loop=forever";
    Run run = Run.of(counter(), ProgramTest::count, forEver, "--json", "--duration", "500ms");
    assertThat(run)
        .isEqualTo(new Run(0, run.out, "test: counter runs: in " + forEver + "; Ctrl-C ends it\n"));
    assertThat(run.json().get("received").getAsLong()).isPositive();
    String once = CAPTURE + ",loop=1000000";
    assertThat(Run.of(counter(), ProgramTest::count, once, "--duration", "500ms").err).isEmpty();
    assertThat(Run.of(counter(), ProgramTest::count, forEver, "--duration", "50ms").err).isEmpty();
    assertThat(
            Run.of(
                    Program.named("test").ports("in"),
                    ProgramTest::count,
                    forEver,
                    "--duration",
                    "500ms")
                .err)
        .startsWith("test: runs: in pcap:");
  }

  /** What is logged while it runs, at its start. */
  private static List<String> warnings(
      Program program, Consumer<Setup> wiring, String... arguments) {
    ProgramLog log = ProgramLog.current().orElseThrow();
    long before = log.entries().isEmpty() ? 0 : log.entries().getLast().id();
    assertThat(Run.of(program, wiring, arguments).status).isZero();
    return log.entries().stream()
        .filter(entry -> entry.id() > before && entry.level() == Level.WARNING)
        .map(LogEntry::text)
        .toList();
  }

  @Test
  void shouldWarnOfProgramsThatDoNothing() {
    assertThat(warnings(Program.named("alone"), _ -> {}))
        .containsExactly(
            "engine has no ports, no packet comes in or goes out: program=alone; open one before it starts");
    assertThat(warnings(Program.named("idle").ports("in"), setup -> setup.port("in"), CAPTURE))
        .containsExactly(
            "engine has nothing to do and ends at once: program=idle; give a worker an input or a task",
            "no worker uses the port, what it receives is lost there: port=in; give it to Worker.input or Worker.output, or leave it out");
    assertThat(warnings(counter(), ProgramTest::count, CAPTURE)).isEmpty();
  }

  @Test
  void shouldWarnOfInputsThatNothingComesBy() {
    Graph deaf =
        Graph.of(g ->
            g.chain(
                g.add("from", new FromPort("in")),
                g.add("arp", new ArpQuerier("02:00:00:00:00:01", "192.0.2.1/24", "")),
                g.add("end", new Discard())));
    assertThat(warnings(counter(), setup -> setup.graph(deaf), CAPTURE))
        .containsExactly(
            "no edge leads to the input, nothing comes by it: element=arp, input=replies; lead an output to it");
  }

  @Test
  void shouldSayTheSameAsJson() {
    Run run = Run.of(counter(), ProgramTest::count, CAPTURE, "--json");
    assertThat(run.json().get("received").getAsInt()).isEqualTo(PACKETS);
    assertThat(run.json().getAsJsonObject("results").isEmpty()).isTrue();
  }

  @Test
  void shouldPutAGraphBetweenItsPorts() {
    Graph graph =
        Graph.of(g -> g.chain(g.add("from", new FromPort("in")), g.add("to", new ToPort("out"))));
    Path out = folder.resolve("out.pcapng");
    Run run =
        Run.of(
            Program.named("wire").ports("in", "out"),
            setup -> {
              var runner = setup.graph(graph);
              setup.result("forwarded", () -> runner.read("to.packets"));
              setup.result("by", () -> "wire");
            },
            "out=pcap:tx=" + out,
            "in=" + CAPTURE,
            "--json");
    assertThat(run.json().get("sent").getAsInt()).isEqualTo(PACKETS);
    JsonObject results = run.json().getAsJsonObject("results");
    assertThat(results.get("forwarded").getAsJsonPrimitive().isNumber()).isTrue();
    assertThat(results.get("forwarded").getAsInt()).isEqualTo(PACKETS);
    assertThat(results.get("by").getAsString()).isEqualTo("wire");
    assertThat(out).isNotEmptyFile();
  }

  @Test
  void shouldWriteWhatItLosesWithReasonAndPlace() throws Exception {
    Path drops = folder.resolve("drops.pcapng");
    Consumer<Setup> losing =
        setup ->
            setup
                .engine()
                .worker()
                .input(setup.port("in"), burst -> burst.dropAll(DropReason.named("not_mine")));
    Run run = Run.of(counter(), losing, CAPTURE, "--write-drops", drops.toString());
    assertThat(run.err).isEmpty();
    assertThat(CommentedPacket.read(drops))
        .hasSize(PACKETS)
        .allMatch(packet -> packet.comment().equals("reason=not_mine, worker=0"))
        .allMatch(packet -> packet.bytes().length == packet.lengthBytes());

    run = Run.of(counter(), losing, CAPTURE, "--write-drops", drops + ",packets=7,snaplen=20");
    assertThat(run.status).isZero();
    assertThat(CommentedPacket.read(drops))
        .hasSize(7)
        .allMatch(packet -> packet.bytes().length == 20);
    run = Run.of(counter(), losing, CAPTURE, "--write-drops", drops + ",filter=len < 100");
    assertThat(run.status).isZero();
    assertThat(CommentedPacket.read(drops))
        .hasSizeBetween(1, PACKETS - 1)
        .allMatch(packet -> packet.lengthBytes() < 100);
    run = Run.of(counter(), ProgramTest::count, CAPTURE, "--write-drops", drops.toString());
    assertThat(run.status).isZero();
    assertThat(CommentedPacket.read(drops)).isEmpty(); // Consumed: nothing is lost.
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "d.pcap|2|file cannot say why packets are dropped: file=%s/d.pcap, at most",
        "d.pcapng,reson=x|2|unknown key in an address: key=reson, ",
        "d.pcapng,packets=0|2|wrong value in an address: packets=0, ",
        "d.pcapng,filter=tcp prt 80|2|wrong filter: filter=tcp prt 80, at=5, found=prt, ",
        "d.pcapng,element=gate|2|program has no graph: element=gate; only what it drops",
        "no/d.pcapng|1|no/d.pcapng, reason=no such directory; name a file",
      })
  void shouldSayWhyItCannotWriteWhatItLoses(String file, int status, String message) {
    Run run = Run.of(counter(), ProgramTest::count, CAPTURE, "--write-drops", folder + "/" + file);
    assertThat(run).isEqualTo(new Run(status, "", run.err));
    assertThat(run.err).startsWith("test: ").contains(message.formatted(folder)).hasLineCount(1);
  }

  /** A pipe whose reader does not read: the program ends, and says that the file is incomplete. */
  @Test
  void shouldNotWaitForWhoeverReadsWhatItLoses() throws Exception {
    Path pipe = folder.resolve("pipe.pcapng");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Consumer<Setup> losing =
        setup ->
            setup
                .engine()
                .worker()
                .input(setup.port("in"), burst -> burst.dropAll(DropReason.named("not_mine")));
    AtomicReference<Run> ended = new AtomicReference<>();
    Thread run =
        Thread.ofPlatform()
            .start(() ->
                ended.set(Run.of(counter(), losing, CAPTURE, "--write-drops", pipe.toString())));
    try (FileChannel _ = FileChannel.open(pipe, StandardOpenOption.READ)) { // Opens when both do.
      assertThat(run.join(Duration.ofSeconds(60))).isTrue();
    }
    assertThat(ended.get().status).isEqualTo(1);
    assertThat(ended.get().out).contains("not_mine: 2,952");
    assertThat(ended.get().err)
        .contains("file for dropped packets takes no more bytes, and is incomplete: file=" + pipe);
  }

  @Test
  void shouldGiveHandlersOnlyWhatTheFilterAccepts() throws Exception {
    Run run = Run.of(counter(), ProgramTest::count, CAPTURE, "--filter", "arp");
    assertThat(run.err).isEmpty();
    assertThat(run.out)
        .startsWith("counter: 2,952 received, 0 sent, 2,952 dropped")
        .containsPattern("ended as filtered: [0-9],?[0-9]*\n")
        .containsPattern("ended as consumed: [0-9]+\n");
    Path file =
        Files.writeString(
            folder.resolve("p.properties"), "ports=in=" + CAPTURE + "\nfilter=tcp prt 80\n");
    Run wrong = Run.of(counter(), ProgramTest::count, "--config", file.toString());
    assertThat(wrong.status).isEqualTo(2);
    assertThat(wrong.err)
        .isEqualTo(
            """
            test: %s:2: wrong filter: filter=tcp prt 80, at=5, found=prt, expected=and, or, or the end
            test:   tcp prt 80
            test:       ^
            """
                .formatted(file));
  }

  @Test
  void shouldTakePortsFromAFile() throws Exception {
    Path file = Files.writeString(folder.resolve("p.properties"), "ports=in=" + CAPTURE + "\n");
    Run run = Run.of(counter(), ProgramTest::count, "--config", file.toString());
    assertThat(run.out).startsWith("counter: 2,952 received");
  }

  @Test
  void shouldOpenAsManyPortsAsItIsGiven() {
    Run run =
        Run.of(
            Program.named("many").morePorts("wire"),
            setup -> {
              assertThat(setup.ports())
                  .extracting(port -> port.name())
                  .containsExactly("wire0", "wire1");
              setup
                  .ports()
                  .forEach(port ->
                      setup
                          .engine()
                          .worker()
                          .input(port, burst -> burst.dropAll(DropReason.CONSUMED)));
            },
            CAPTURE,
            CAPTURE);
    assertThat(run.out).startsWith("many: 5,904 received");
  }

  @Test
  void shouldGiveItsOwnOptions() {
    AtomicBoolean isWired = new AtomicBoolean();
    Program program =
        counter()
            .option("--most", "N", "How many.")
            .option("--strict", "Whether it is.")
            .option("--other", "TEXT", "Something else.");
    Run run =
        Run.of(
            program,
            setup -> {
              assertThat(setup.number("--most", 1, 9, 1)).isEqualTo(7);
              assertThat(setup.has("--strict")).isTrue();
              assertThat(setup.option("--other")).isEmpty();
              count(setup);
              isWired.set(true);
            },
            CAPTURE,
            "--most",
            "7",
            "--strict");
    assertThat(run.status).as(run.err).isZero();
    assertThat(isWired).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|port has no address: name=in; write IN, such as pcap:rx=FILE, or in=ADDRESS",
        "ring:a ring:b|too many arguments: argument=ring:b; this program has the ports [in]",
        "out=ring:a in=ring:b|no such port: name=out, address=ring:a; there are [in]",
        "ring:a --set wrkers=2|--set: unknown key: wrkers=2; did you mean workers?",
        "ring:a --sett x=2|no such option: name=--sett; did you mean --set?",
        "ring:a --duration long|--duration: not a time: long;",
        "nonsense|not a port address: address=nonsense;",
        "ring:a --config /nonexistent|no such configuration file: file=/nonexistent;",
        "ring:a --dashboard-open|no dashboard to serve;",
      })
  void shouldSayInOneSentenceWhatTheUserMustChange(String arguments, String message) {
    String[] words = arguments.isEmpty() ? new String[0] : arguments.split(" ", -1);
    Run run = Run.of(counter(), ProgramTest::count, words);
    assertThat(run).isEqualTo(new Run(2, "", run.err));
    assertThat(run.err).startsWith("test: ").contains(message).hasLineCount(1);
  }

  @Test
  void shouldFailWhenAPortOrAHandlerDoes() {
    Run run = Run.of(counter(), ProgramTest::count, "pcap:rx=/nonexistent");
    assertThat(run.status).isEqualTo(1);
    assertThat(run.err).hasLineCount(1).contains("/nonexistent");
    run =
        Run.of(
            counter(),
            setup ->
                setup
                    .engine()
                    .worker()
                    .input(
                        setup.port("in"),
                        _ -> {
                          throw new IllegalStateException("no");
                        }),
            CAPTURE);
    assertThat(run.status).isEqualTo(1);
    assertThat(run.out).contains("dropped as handler_error");
  }

  @Test
  void shouldTellWhatTheProgramItselfFindsWrong() {
    Run run =
        Run.of(
            counter(),
            _ -> {
              throw new ConfigException("no rules: key=rules; write rules=FILE");
            },
            CAPTURE);
    assertThat(run).isEqualTo(new Run(2, "", "test: no rules: key=rules; write rules=FILE\n"));
  }

  @Test
  void shouldHelpWithItsPortsOptionsAndExamples() {
    Program program =
        counter()
            .describedAs("Counts packets.")
            .option("--most", "N", "How many.")
            .example("pcap:rx=in.pcap --most 7");
    Run run = Run.of(program, ProgramTest::count, "--help");
    assertThat(run).isEqualTo(new Run(0, run.out, ""));
    assertThat(run.out)
        .startsWith("Counts packets.\nUsage: counter IN [OPTIONS]\n")
        .contains("--most N", "--json", "--dashboard", "Examples:\n  counter pcap:rx=in.pcap");
    Program share = counter().describedAs("100 %s.").option("--share", "%", "Of 100 %n.");
    assertThat(Run.of(share.example("%d"), ProgramTest::count, "--help").out)
        .startsWith("100 %s.\n")
        .contains("--share %", "Of 100 %n.", "  counter %d\n");
    assertThat(Run.of(program, ProgramTest::count, "--version").out).startsWith("counter ");
  }

  @Test
  void shouldRefuseWhatNoProgramCanBeCalled() {
    assertThatThrownBy(() -> Program.named("a b")).hasMessageContaining("text=a b");
    assertThatThrownBy(() -> counter().option("most", "N", "How many."))
        .hasMessageContaining("text=most");
    assertThatThrownBy(() -> counter().option("--most", "N, M", "How many."))
        .hasMessageContaining("text=N, M");
    assertThatThrownBy(() -> counter().ports("in=")).hasMessageContaining("text=in=");
    assertThatThrownBy(() -> counter().option("--json", "Whether as JSON."))
        .hasMessage("option is there already: program=counter, option=--json; choose another name");
    Program own = counter().option("--most", "N", "How many.");
    assertThatThrownBy(() -> own.option("--most", "Whether most."))
        .hasMessageContaining("option=--most");
  }

  @Test
  void shouldNameThePortsThatThereAre() {
    AtomicBoolean isRefused = new AtomicBoolean();
    Run.of(
        counter(),
        setup -> {
          assertThatThrownBy(() -> setup.port("out")).hasMessageContaining("name=out, ports=[in]");
          setup.graph(
              Graph.of(g -> g.chain(g.add("a", new FromPort("in")), g.add("b", new Discard()))));
          assertThatThrownBy(() -> setup.graph(Graph.of(_ -> {})))
              .hasMessageContaining("program has a graph already");
          isRefused.set(true);
        },
        CAPTURE);
    assertThat(isRefused).isTrue();
  }
}
