package io.linerate.bench.duel;

import io.linerate.bench.suite.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is compared: a command of Linerate, or a program made for that, and its C twin, with the
 * same packets, bursts, buffers and rules.
 *
 * @param caseName for the report
 * @param program {@code capture} or {@code firewall}: the command's name and the twin's; or that of
 *     another twin
 * @param feed where packets come from
 * @param burst packets to receive, transmit and free at once, 1 to 512
 * @param rules file of the firewall's rules, or of routes, or whatever a program that forwards
 *     works by; none for those that only receive
 * @param twins the C contestants: for each name the options that make its program this one
 * @param main what the Java contestant is, with its first arguments
 */
public record Match(
    String caseName,
    String program,
    Feed feed,
    int burst,
    List<Path> rules,
    Map<String, List<String>> twins,
    List<String> main) {
  /** The name of the Java contestant. */
  public static final String JAVA = "java";

  /** The name of the first C contestant, which the ratio is about: the best there is. */
  public static final String C = "c";

  /** The same in C as DPDK's examples do it. */
  public static final String USUAL_C = "c-usual";

  private static final String COMMANDS = "io.linerate.apps.Main";

  public Match {
    rules = List.copyOf(rules);
    twins = new LinkedHashMap<>(twins);
    main = List.copyOf(main);
  }

  /** Of a command of Linerate. */
  public Match(
      String caseName,
      String program,
      Feed feed,
      int burst,
      List<Path> rules,
      Map<String, List<String>> twins) {
    this(caseName, program, feed, burst, rules, twins, List.of(COMMANDS, program));
  }

  /** The same with other packets. */
  Match with(Feed other) {
    return new Match(caseName, program, other, burst, rules, twins, main);
  }

  List<String> contestants() {
    List<String> names = new ArrayList<>(List.of(JAVA));
    names.addAll(twins.keySet());
    return names;
  }

  /** The command that starts a twin in a folder of its own. */
  public List<String> cCommand(String name, Session session) {
    return cCommand(
        name,
        session.twin(program),
        TextFiles.folder(session.folder().resolve(name)),
        session.cpu(),
        session.otherCpu());
  }

  /** The command that starts a twin, its worker on {@code cpu}. */
  List<String> cCommand(String name, Path program, Path folder, int cpu, int otherCpu) {
    List<String> words = new ArrayList<>();
    // Where DPDK may leave its files.
    words.addAll(List.of("env", "RUNTIME_DIRECTORY=" + folder, program.toString()));
    words.addAll(List.of("--no-pci", "--in-memory", "--no-telemetry", "--log-level=error", "-m"));
    words.add(Integer.toString(feed.memoryMib()));
    words.add("--force-max-simd-bitwidth=512");
    words.add("--file-prefix=twin" + System.nanoTime());
    words.add("--lcores=0@" + otherCpu + ",1@" + cpu);
    words.add("--vdev=" + feed.in(folder));
    if (!rules.isEmpty()) {
      words.add("--vdev=" + feed.out(folder));
    }
    words.addAll(List.of("--", "burst=" + burst, "buffers=" + feed.buffers()));
    words.addAll(List.of("room=" + feed.roomBytes(), "frame=" + feed.fillBytes()));
    rules.forEach(file -> words.add("rules=" + file));
    words.addAll(twins.getOrDefault(name, List.of()));
    return words;
  }

  /**
   * The command that users run, or the program with the port, that to transmit to if there are
   * rules, the burst, the CPU, the number of buffers and the MiB for them as its last arguments:
   * its worker on {@code cpu}.
   *
   * @param jvm how a JVM is started, the main class included
   */
  public List<String> javaCommand(List<String> jvm, Path folder, int cpu) {
    List<String> words = new ArrayList<>(jvm);
    words.addAll(main.subList(1, main.size()));
    String in = "bench:frame=" + feed.fillBytes() + ",port=dpdk:" + feed.in(folder);
    String out = "bench:sink=,port=dpdk:" + feed.out(folder);
    if (!main.getFirst().equals(COMMANDS)) {
      words.add(in);
      if (!rules.isEmpty()) {
        words.add(out);
      }
      words.addAll(List.of(String.valueOf(burst), String.valueOf(cpu)));
      words.addAll(List.of(String.valueOf(feed.buffers()), String.valueOf(feed.memoryMib())));
      return words;
    }
    if (rules.isEmpty()) {
      words.addAll(List.of("--port", in));
    } else {
      words.add(TextFiles.write(folder.resolve("firewall.properties"), List.of()).toString());
      words.addAll(List.of("--set", "ports=in=" + in + "; out=" + out));
      words.addAll(List.of("--set", "rules=" + rules.getFirst()));
    }
    for (String setting :
        List.of(
            "rxburst=" + burst,
            "txburst=" + burst,
            "freeburst=" + burst,
            "buffers=" + feed.buffers(),
            "mtu=" + feed.mtu(),
            "memory=" + feed.memoryMib(),
            "idle=busy-spin",
            "cpus=" + cpu)) {
      words.addAll(List.of("--set", setting));
    }
    words.add("--json");
    return words;
  }
}
