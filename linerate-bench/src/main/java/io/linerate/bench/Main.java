package io.linerate.bench;

import io.linerate.bench.capture.CaptureBenchmark;
import io.linerate.bench.decode.DecodeBenchmark;
import io.linerate.bench.elements.ChainBenchmark;
import io.linerate.bench.elements.ElementsBenchmark;
import io.linerate.bench.fabric.FabricBenchmark;
import io.linerate.bench.fabric.FabricChoice;
import io.linerate.bench.files.FilesBenchmark;
import io.linerate.bench.filter.FilterBenchmark;
import io.linerate.bench.firewall.ClassifyBenchmark;
import io.linerate.bench.firewall.FirewallBenchmark;
import io.linerate.bench.firewall.FlowsBenchmark;
import io.linerate.bench.forward.ForwardBenchmark;
import io.linerate.bench.latency.LatencySuite;
import io.linerate.bench.linux.LinuxSuite;
import io.linerate.bench.middlebox.BalanceBenchmark;
import io.linerate.bench.middlebox.NatBenchmark;
import io.linerate.bench.middlebox.RouteBenchmark;
import io.linerate.bench.middlebox.TrackBenchmark;
import io.linerate.bench.relay.RelaySuite;
import io.linerate.bench.report.Machine;
import io.linerate.bench.report.Report;
import io.linerate.bench.report.Section;
import io.linerate.bench.scaling.ScalingBenchmark;
import io.linerate.bench.scan.ScanBenchmark;
import io.linerate.bench.statistics.StatisticsBenchmark;
import io.linerate.bench.stream.StreamBenchmark;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Installation;
import io.linerate.bench.transfer.TransferBenchmark;
import io.linerate.bench.warmup.WarmupSuite;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./linerate bench}: Java beside C. */
@Command(
    name = "linerate bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs Linerate and its C twins in turn on one core, and compares them pair by pair.",
      "The median of the pairs' ratios is what counts, on net_null that of several fresh JVMs;",
      "--list says what there is to run."
    },
    footer = {
      "",
      "Examples:",
      "  ./linerate bench --quick                         everything, in three minutes",
      "  ./linerate bench capture firewall --out /tmp/b   two names, their report in /tmp/b",
      "  ./linerate bench firewall --case '20 linear' --jvms 9",
      "",
      "Exit status: 0 done, 1 a benchmark failed, 2 wrong options."
    })
public final class Main implements Callable<Integer> {
  private static final int QUICK_SECONDS = 8;
  private static final int FULL_SECONDS = 105;
  private static final int FULL_JVMS = 5;
  private static final String RESULTS = "linerate-bench/target/results";
  private static final DateTimeFormatter FOLDER = DateTimeFormatter.ofPattern("yyyy-MM-dd-HHmmss");

  /** Add yours here, and its line to {@code list.txt}, with which the launcher answers at once. */
  static List<Benchmark> benchmarks(FabricChoice fabric) {
    return List.of(
        new CaptureBenchmark(),
        new FirewallBenchmark(),
        new ClassifyBenchmark(),
        new FlowsBenchmark(),
        new ScanBenchmark(),
        new FilterBenchmark(),
        new DecodeBenchmark(),
        new RouteBenchmark(),
        new TrackBenchmark(),
        new NatBenchmark(),
        new BalanceBenchmark(),
        new StreamBenchmark(),
        new TransferBenchmark(),
        new FabricBenchmark(fabric),
        new ForwardBenchmark(),
        new FilesBenchmark(),
        new ScalingBenchmark(),
        new ElementsBenchmark(),
        new ChainBenchmark(),
        new StatisticsBenchmark(),
        new LatencySuite(),
        new RelaySuite(),
        new LinuxSuite(),
        new WarmupSuite());
  }

  private final List<String> arguments;
  private final Console console;
  private final Path home = Path.of(System.getProperty("linerate.home", "."));

  @Parameters(
      description = "what to run; everything when nothing is named",
      arity = "0..*",
      paramLabel = "NAME")
  private List<String> names = List.of();

  @Option(names = "--quick", description = "a few seconds for each name: an idea, not a result")
  private boolean quick;

  @Option(names = "--list", description = "say what there is to run, and end")
  private boolean list;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "where the report goes (linerate-bench/target/results/TIME)")
  private @Nullable Path out;

  @Option(
      names = "--case",
      paramLabel = "TEXT",
      description = "only cases whose name has this text")
  private String caseText = "";

  @Option(
      names = "--pairs",
      paramLabel = "N",
      description = "pairs of slices for a case, with each JVM (${DEFAULT-VALUE})")
  private int pairs = 11;

  @Option(
      names = "--jvms",
      paramLabel = "N",
      description = "fresh JVMs of a case that has several (5; 1 when --quick)")
  private @Nullable Integer jvms;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "for each name (105; 8 when --quick), times JVMs where cases start fresh ones")
  private int seconds;

  @Option(names = "--cpu", paramLabel = "N", description = "the CPU that both run on (the last)")
  private int cpu = Runtime.getRuntime().availableProcessors() - 1;

  @Option(
      names = "--part",
      paramLabel = "PART",
      split = ",",
      description = {
        "of fabric: latency, bandwidth, transfer-15-mb,",
        "transfer-1-gb, both, rate, write, read, crossing,",
        "registration, serialisation (all)"
      })
  private List<String> parts = List.of();

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      split = ",",
      description = "of fabric: shm, tcp, tcp+rxm, udp+rxd (all)")
  private List<String> providers = List.of();

  @Option(
      names = "--size",
      paramLabel = "N",
      split = ",",
      description = "of fabric: bytes of a message (4 B to 1 MiB by 4)")
  private List<Integer> sizes = List.of();

  @Option(
      names = "--twins",
      paramLabel = "DIR",
      description = "folder of the C programs (linerate-bench/target/c)")
  private Path twins = home.resolve("linerate-bench/target/c");

  public static void main(String[] arguments) {
    System.exit(run(Console.ofProcess("linerate"), arguments));
  }

  static int run(Console console, String... arguments) {
    return new CommandLine(new Main(console, List.of(arguments)))
        .setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
        .setParameterExceptionHandler((wrong, _) -> {
          console.say(wrong.getMessage() + "; see ./linerate bench --help");
          return ExitStatus.WRONG_USAGE;
        })
        .execute(arguments);
  }

  private Main(Console console, List<String> arguments) {
    this.console = console;
    this.arguments = arguments;
  }

  @Override
  public Integer call() {
    FabricChoice fabric = new FabricChoice(parts, providers, sizes);
    List<Benchmark> all = benchmarks(fabric);
    if (list) {
      list(all);
      return 0;
    }
    Optional<String> mistake = mistake(all, fabric);
    if (mistake.isPresent()) {
      console.say(mistake.get());
      return ExitStatus.WRONG_USAGE;
    }
    List<Benchmark> chosen = new ArrayList<>(all);
    if (!names.isEmpty()) {
      chosen.removeIf(one -> !names.contains(one.name()));
    }
    int each = seconds > 0 ? seconds : quick ? QUICK_SECONDS : FULL_SECONDS;
    int fresh = jvms != null ? jvms : quick ? 1 : FULL_JVMS;
    return run(chosen, new Effort(quick, Duration.ofSeconds(each), pairs, fresh, caseText));
  }

  private void list(List<Benchmark> all) {
    PrintStream out = console.out();
    all.forEach(one -> out.printf("%-12s %s%n", one.name(), one.summary()));
    out.printf("%narchived, run each with %s NAME:%n", Archived.COMMAND);
    Archived.ALL.forEach(one -> out.printf("%-12s %s%n", one.name(), one.summary()));
    out.flush();
  }

  private int run(List<Benchmark> chosen, Effort effort) {
    try {
      Machine machine = Machine.describe(home, arguments, Installation.JVM_FLAGS, cpu);
      Path folder =
          out == null
              ? home.resolve(RESULTS).resolve(LocalDateTime.now(ZoneOffset.UTC).format(FOLDER))
              : out;
      List<Section> sections =
          new Suite(console, effort, cpu, twins.toAbsolutePath().normalize())
              .run(chosen, done -> Report.write(folder, machine, done));
      console.print("report: " + folder.resolve("report.md"));
      return sections.stream().anyMatch(section -> section.failure().isPresent())
          ? ExitStatus.FAILED
          : ExitStatus.DONE;
    } catch (IOException e) {
      console.say("report cannot be written: error=" + e + "; give --out a folder that can be");
      return ExitStatus.FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitStatus.FAILED;
    }
  }

  private Optional<String> mistake(List<Benchmark> all, FabricChoice fabric) {
    List<String> known = all.stream().map(Benchmark::name).toList();
    List<String> unknown = names.stream().filter(name -> !known.contains(name)).toList();
    Optional<Archived> archived =
        Archived.ALL.stream().filter(one -> unknown.contains(one.name())).findFirst();
    if (archived.isPresent()) {
      return archived.map(Archived::refusal);
    }
    if (!unknown.isEmpty()) {
      return Optional.of(
          "no such benchmark: name="
              + String.join(" ", unknown)
              + "; known are "
              + String.join(", ", known));
    }
    int cpus = Runtime.getRuntime().availableProcessors();
    if (cpu < 0 || cpu >= cpus) {
      return Optional.of(
          "no such CPU: cpu=" + cpu + ", cpus=" + cpus + "; give 0 to " + (cpus - 1));
    }
    if (pairs < 1 || seconds < 0 || (jvms != null && jvms < 1)) {
      return Optional.of(
          "nothing to run: pairs="
              + pairs
              + ", seconds="
              + seconds
              + (jvms == null ? "" : ", jvms=" + jvms)
              + "; give 1 or more");
    }
    return Optional.of(fabric.mistake()).filter(mistake -> !mistake.isEmpty());
  }
}
