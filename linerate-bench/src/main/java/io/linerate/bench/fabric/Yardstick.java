package io.linerate.bench.fabric;

import io.linerate.bench.duel.Contestant;
import io.linerate.bench.suite.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * libfabric's own {@code fi_pingpong}: half a round trip as somebody else measures it. It takes no
 * orders, and so runs by itself, after the others.
 */
final class Yardstick {
  static final String NAME = "fi_pingpong";

  private static final Path PROGRAM = Path.of("/usr/bin/fi_pingpong");
  private static final int RUNS = 5;
  private static final int MOST_ITERATIONS = 20_000;
  private static final int LEAST_ITERATIONS = 200;
  private static final long ALL_BYTES = 1L << 28;
  private static final int ATTEMPT_MS = 50;
  private static final int ATTEMPTS = 100;

  /** Place of {@code usec/xfer} in its line of figures. */
  private static final int MICROSECONDS = 6;

  private static final int COLUMNS = 8;

  private final Session session;
  private final Exchange exchange;

  private Yardstick(Session session, Exchange exchange) {
    this.session = session;
    this.exchange = exchange;
  }

  /** Why there is none; empty if there is. */
  static String lack() {
    return Files.isExecutable(PROGRAM) ? "" : "not installed; apt install libfabric-bin";
  }

  /**
   * The median of several runs in µs.
   *
   * @throws IllegalStateException if it has no figure
   */
  static double measure(Session session, Exchange exchange) {
    Yardstick yardstick = new Yardstick(session, exchange);
    double[] runs = new double[RUNS];
    for (int i = 0; i < RUNS; i++) {
      runs[i] = yardstick.run();
    }
    Arrays.sort(runs);
    return runs[RUNS / 2];
  }

  private double run() {
    String port = String.valueOf(Provider.freePort());
    try {
      Process server = start(session.otherCpu(), "-B", port);
      try {
        for (int i = 0; i < ATTEMPTS && server.isAlive(); i++) {
          TimeUnit.MILLISECONDS.sleep(ATTEMPT_MS); // Until it listens, of which it says nothing.
          OptionalDouble figure = read(start(session.cpu(), "-P", port, "127.0.0.1"));
          if (figure.isPresent()) {
            return figure.getAsDouble();
          }
        }
        throw new IllegalStateException(
            "fi_pingpong has no figure: case=%s; try it by hand".formatted(exchange.title()));
      } finally {
        server.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start: program=" + PROGRAM, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted: case=" + exchange.title(), e);
    }
  }

  private Process start(int cpu, String... arguments) throws IOException {
    long iterations = Math.clamp(ALL_BYTES / exchange.bytes(), LEAST_ITERATIONS, MOST_ITERATIONS);
    List<String> words =
        new ArrayList<>(List.of("taskset", "-c", String.valueOf(cpu), PROGRAM.toString()));
    words.addAll(List.of("-p", exchange.provider().title()));
    words.addAll(List.of("-e", exchange.provider() == Provider.TCP ? "msg" : "rdm"));
    words.addAll(List.of("-I", String.valueOf(iterations)));
    words.addAll(List.of("-S", String.valueOf(exchange.bytes())));
    words.addAll(List.of(arguments));
    Process started = new ProcessBuilder(words).redirectErrorStream(true).start();
    Contestant.endWithThis(started);
    return started;
  }

  private static OptionalDouble read(Process client) throws IOException, InterruptedException {
    OptionalDouble figure = OptionalDouble.empty();
    try (BufferedReader lines = client.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        List<String> words = List.of(line.strip().split("\\s+", -1));
        if (words.size() == COLUMNS && Character.isDigit(words.getFirst().charAt(0))) {
          figure = OptionalDouble.of(Double.parseDouble(words.get(MICROSECONDS)));
        }
      }
    } finally {
      client.destroyForcibly().waitFor();
    }
    return figure;
  }
}
