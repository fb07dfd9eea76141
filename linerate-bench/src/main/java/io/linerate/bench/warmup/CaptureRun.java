package io.linerate.bench.warmup;

import io.linerate.bench.duel.WorkerThread;
import io.linerate.bench.suite.Installation;
import io.linerate.bench.suite.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * {@code linerate capture} on {@code net_null} as users start it, watched from its first moment.
 */
final class CaptureRun {
  private static final double NS_PER_MS = 1e6;
  private static final int INTERVAL_MS = 100;

  private final List<String> command;

  /**
   * @param jvmOptions beside the launcher's
   */
  CaptureRun(Session session, Installation installation, List<String> jvmOptions, int durationMs) {
    List<String> options = new ArrayList<>(List.of("-Xlog:disable", "-Xlog:all=error:stderr"));
    options.addAll(jvmOptions);
    command = new ArrayList<>(installation.javaCommand(options));
    command.addAll(List.of("capture", "--port", "dpdk:net_null0,size=64"));
    command.addAll(List.of("--stats", INTERVAL_MS + "ms", "--duration", durationMs + "ms"));
    command.addAll(List.of("--set", "idle=busy-spin", "--set", "cpus=" + session.cpu()));
  }

  /** Runs it to its end. */
  Rates run() throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    long startNs = System.nanoTime();
    Process process = builder.start();
    try (BufferedReader messages = process.errorReader(StandardCharsets.UTF_8)) {
      return read(messages, new WorkerThread(process.pid()), startNs);
    } finally {
      process.destroy();
      process.waitFor();
    }
  }

  private Rates read(BufferedReader messages, WorkerThread worker, long startNs)
      throws IOException {
    List<RatePoint> points = new ArrayList<>();
    StringBuilder other = new StringBuilder();
    double firstPacketMs = 0;
    double waitedBeforeMs = 0;
    for (String line = messages.readLine(); line != null; line = messages.readLine()) {
      RatePoint.@Nullable Statement said = RatePoint.Statement.parse(line).orElse(null);
      if (said == null) {
        other.append(line).append('\n');
        continue;
      }
      double nowMs = (System.nanoTime() - startNs) / NS_PER_MS;
      double waitedMs = worker.waitedMs();
      if (points.isEmpty()) {
        firstPacketMs = nowMs - 1_000 * said.runningS();
      }
      points.add(new RatePoint(nowMs, said.mpps(), Math.max(0, waitedMs - waitedBeforeMs)));
      waitedBeforeMs = waitedMs;
    }
    if (points.size() < 4) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "capture ended too soon: intervals=%d, messages=%s",
              points.size(),
              other.toString().strip()));
    }
    return new Rates(points, firstPacketMs);
  }
}
