package io.linerate.bench.latency;

import io.linerate.bench.duel.Feed;
import io.linerate.bench.report.CpuTimes;
import io.linerate.bench.suite.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program that sends frames to a forwarder, and tells how long they were away: meter.c. */
final class Meter implements AutoCloseable {
  private static final int TIMEOUT_S = 10;

  private final int cpu;
  private final Process process;
  private final BufferedReader answers;
  private final Writer orders;

  /**
   * Starts it and waits until it is ready.
   *
   * @param folder where the forwarder finds its sockets
   */
  Meter(Session session, Path folder) throws IOException {
    cpu = session.cpu();
    List<String> words = new ArrayList<>();
    words.addAll(List.of("taskset", "-c", Integer.toString(session.otherCpu())));
    words.add(session.twin("meter").toString());
    words.addAll(List.of("--no-pci", "--in-memory", "--no-telemetry", "--log-level=error"));
    words.addAll(List.of("-m", "128", "--file-prefix", "meter" + System.nanoTime()));
    words.addAll(List.of("--lcores", "0@" + session.otherCpu()));
    Feed.relayServers(folder).forEach(device -> words.addAll(List.of("--vdev", device)));
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("RUNTIME_DIRECTORY", folder.toString());
    process = builder.start();
    answers = process.inputReader(StandardCharsets.UTF_8);
    orders = process.outputWriter(StandardCharsets.UTF_8);
    String line = answers.readLine();
    while (line != null && !line.equals("ready")) {
      line = answers.readLine();
    }
    if (line == null) {
      throw new IOException("meter ended at once: command=" + String.join(" ", words));
    }
  }

  /**
   * Sends frames and waits for those that come back.
   *
   * @param schedstat of the forwarder's worker
   * @throws IllegalStateException if other frames came back than were sent
   */
  MeterRun run(Load load, int ms, Path schedstat) {
    CpuTimes before = CpuTimes.now(cpu);
    try {
      orders.write(
          "run %d %d %d %s%n".formatted(load.packetsPerS(), ms, Stall.LEAST_NS, schedstat));
      orders.flush();
      MeterRun run = MeterRun.read(answers);
      if (run.wrong() > 0) {
        throw new IllegalStateException(
            "forwarder does something else: sent=%d, received=%d, wrong=%d"
                .formatted(run.sent(), run.received(), run.wrong()));
      }
      return run.withStolenMs(CpuTimes.now(cpu).stealMs(before));
    } catch (IOException e) {
      throw new UncheckedIOException("meter does not answer: pid=" + process.pid(), e);
    }
  }

  /** Ends it; its forwarder should have ended before. */
  @Override
  public void close() {
    try {
      orders.close();
      if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      answers.close();
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
