package io.linerate.bench.duel;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A program under measurement in a process of its own, and the generator that feeds it, if any. It
 * polls without a pause; between its slices both are stopped with SIGSTOP, so that the next
 * contestant has the core for itself.
 *
 * <p>It says {@code ready} on standard output, then answers each {@code measure MS} on its standard
 * input with a {@link Sample}, and {@code counts} with one since its start. At the end of its input
 * it ends and may print a summary, an object in JSON.
 */
public final class Contestant implements AutoCloseable {
  private static final long TIMEOUT_S = 10;
  private static final long SERVER_TIMEOUT_S = 2;
  private static final long LOOK_MS = 5;

  private final List<String> command;
  private final Process process;
  private final BufferedReader answers;
  private final Writer orders;
  private Optional<Process> generator = Optional.empty();
  private Optional<Process> server = Optional.empty();
  private boolean isReady;

  private Contestant(List<String> command, Process process) {
    this.command = command;
    this.process = process;
    answers = process.inputReader(StandardCharsets.UTF_8);
    orders = process.outputWriter(StandardCharsets.UTF_8);
    endWithThis(process);
  }

  /** Whoever interrupts the benchmark leaves nothing behind, not even what is stopped. */
  public static void endWithThis(Process child) {
    Runtime.getRuntime().addShutdownHook(new Thread(child::destroyForcibly));
  }

  /** Starts the program; {@link #awaitReady} comes next. */
  public static Contestant launch(List<String> command) {
    try {
      return new Contestant(
          List.copyOf(command),
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start: command=" + String.join(" ", command), e);
    }
  }

  /** Starts the program and waits until it is ready; it is stopped then. */
  public static Contestant start(List<String> command) {
    Contestant contestant = launch(command);
    try {
      contestant.awaitReady();
    } catch (RuntimeException e) {
      contestant.close();
      throw e;
    }
    contestant.pause();
    return contestant;
  }

  /**
   * Starts a program that is a client, after its server, and waits until both are ready; both are
   * stopped then, and always together.
   *
   * @param log where the server's words go, of which {@code ready} is one
   */
  public static Contestant start(List<String> serverCommand, Path log, List<String> command) {
    Process server = startLogged(serverCommand, log);
    try {
      awaitReady(server, log);
      Contestant contestant = launch(command);
      contestant.server = Optional.of(server);
      try {
        contestant.awaitReady();
      } catch (RuntimeException e) {
        contestant.close();
        throw e;
      }
      contestant.pause();
      return contestant;
    } catch (RuntimeException e) {
      server.destroyForcibly();
      throw e;
    }
  }

  private static void awaitReady(Process server, Path log) {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
    try {
      while (!Files.readString(log).contains("ready\n")) {
        if (!server.isAlive() || System.nanoTime() > endNs) {
          throw new IllegalStateException(
              "server is not ready: output=" + Files.readString(log).strip());
        }
        Thread.sleep(LOOK_MS);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read: file=" + log, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a server starts: log=" + log, e);
    }
  }

  /** Waits until it is ready; it is running then. */
  public void awaitReady() {
    String line = readLine();
    while (!line.equals("ready")) {
      line = readLine();
    }
    isReady = true;
  }

  /**
   * Starts what feeds it, while it runs.
   *
   * @param log where the generator's words go
   */
  public void feedFrom(List<String> generatorCommand, Path log) {
    generator = Optional.of(startLogged(generatorCommand, log));
  }

  private static Process startLogged(List<String> command, Path log) {
    try {
      Process started =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      endWithThis(started);
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start: command=" + String.join(" ", command), e);
    }
  }

  private String readLine() {
    try {
      String line = answers.readLine();
      if (line == null) {
        throw new IllegalStateException(
            (isReady ? "contestant ended" : "contestant ended before it was ready")
                + ": command="
                + String.join(" ", command));
      }
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException("contestant does not answer: pid=" + process.pid(), e);
    }
  }

  /** The number of its process, with all that the command line became. */
  public long pid() {
    return process.pid();
  }

  /** Lets it run for a slice of time and stops it again. */
  public Sample measure(int ms) {
    resume();
    try {
      return ask("measure " + ms);
    } finally {
      pause();
    }
  }

  /** What it did since its start. It must be running. */
  public Sample counts() {
    return ask("counts");
  }

  private Sample ask(String order) {
    try {
      orders.write(order + "\n");
      orders.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("contestant takes no orders: pid=" + process.pid(), e);
    }
    return Sample.parse(readLine());
  }

  public void pause() {
    server.ifPresent(ProcessSignal::stop);
    generator.ifPresent(ProcessSignal::stop);
    ProcessSignal.stop(process);
  }

  public void resume() {
    server.ifPresent(ProcessSignal::resume);
    ProcessSignal.resume(process);
    generator.ifPresent(ProcessSignal::resume);
  }

  /** Lets it end in good order; what it prints then. */
  public String finish() {
    server.ifPresent(ProcessSignal::resume);
    ProcessSignal.resume(process);
    generator.ifPresent(Contestant::kill);
    StringBuilder rest = new StringBuilder();
    try {
      orders.close();
      for (String line = answers.readLine(); line != null; line = answers.readLine()) {
        rest.append(line).append('\n');
      }
    } catch (IOException e) {
      process.destroyForcibly();
    }
    awaitEnd();
    server.ifPresent(Contestant::end);
    return rest.toString();
  }

  private void awaitEnd() {
    try {
      if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** A server ends with its client, or at the end of its input. */
  private static void end(Process server) {
    try {
      server.getOutputStream().close();
      if (!server.waitFor(SERVER_TIMEOUT_S, TimeUnit.SECONDS)) {
        kill(server);
      }
    } catch (IOException e) {
      kill(server);
    } catch (InterruptedException e) {
      kill(server);
      Thread.currentThread().interrupt();
    }
  }

  private static void kill(Process generator) {
    generator.destroyForcibly();
    try {
      generator.waitFor(TIMEOUT_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends both, in good order if possible. */
  @Override
  public void close() {
    if (isReady) {
      finish();
    } else {
      process.destroyForcibly();
      generator.ifPresent(Contestant::kill);
      server.ifPresent(Contestant::kill);
    }
  }
}
