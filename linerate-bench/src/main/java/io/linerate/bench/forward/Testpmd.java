package io.linerate.bench.forward;

import io.linerate.bench.port.OrderTaker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * A program under measurement: {@code dpdk-testpmd}, which forwards what a device receives to the
 * same device, unseen. Arguments: the device, packets in a burst, its CPU, the CPU of its commands,
 * a folder for its files.
 */
public final class Testpmd {
  private static final String STATISTICS = "show port stats 0\n";
  private static final String RECEIVED = "RX-packets:";
  private static final String SENT = "TX-packets:";
  private static final String LAST = "##########";
  private static final Pattern BLANKS = Pattern.compile(" +");

  private final Writer commands;
  private final BufferedReader answers;

  private Testpmd(Process process) {
    commands = process.outputWriter(StandardCharsets.UTF_8);
    answers = process.inputReader(StandardCharsets.UTF_8);
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
                command(
                    arguments[0],
                    arguments[1],
                    Integer.parseInt(arguments[2]),
                    Integer.parseInt(arguments[3])))
            .redirectErrorStream(true);
    builder.environment().put("RUNTIME_DIRECTORY", arguments[4]);
    Process process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    Testpmd testpmd = new Testpmd(process);
    new OrderTaker(() -> testpmd.statistic(RECEIVED), () -> testpmd.statistic(SENT)).start();
    System.exit(process.waitFor());
  }

  /**
   * One port, whose packets go back to it. It says what it is asked line by line, into a pipe too.
   */
  private static List<String> command(String device, String burst, int cpu, int otherCpu) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "stdbuf",
                "-oL",
                "dpdk-testpmd",
                "--no-pci",
                "--in-memory",
                "--no-telemetry",
                "-m",
                "128"));
    words.addAll(List.of("--log-level=error", "--file-prefix=testpmd" + System.nanoTime()));
    words.addAll(List.of("--lcores=0@" + otherCpu + ",1@" + cpu, "--vdev=" + device));
    words.addAll(List.of("--", "-i", "--auto-start", "--forward-mode=io", "--port-topology=loop"));
    words.addAll(List.of("--burst=" + burst, "--total-num-mbufs=16384", "--nb-cores=1"));
    return words;
  }

  /** Asks for the statistics, reads all of them, and returns one. */
  private synchronized long statistic(String name) {
    try {
      commands.write(STATISTICS);
      commands.flush();
      OptionalLong found = OptionalLong.empty();
      for (String line = answers.readLine(); line != null; line = answers.readLine()) {
        int at = line.indexOf(name);
        if (at >= 0) {
          found = OptionalLong.of(Long.parseLong(BLANKS.split(line.substring(at), -1)[1]));
        }
        if (found.isPresent() && line.endsWith(LAST)) {
          return found.getAsLong();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("dpdk-testpmd does not answer: asked=" + name, e);
    }
    throw new IllegalStateException("dpdk-testpmd ended: asked=" + name);
  }
}
