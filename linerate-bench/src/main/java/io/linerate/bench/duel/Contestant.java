package io.linerate.bench.duel;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
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

  private final List<String> command;
  private final Process process;
  private final BufferedReader answers;
  private final Writer orders;
  private Optional<Process> generator = Optional.empty();
  private boolean isReady;

  private Contestant(List<String> command, Process process) {
    this.command = command;
    this.process = process;
    answers = process.inputReader(StandardCharsets.UTF_8);
    orders = process.outputWriter(StandardCharsets.UTF_8);
    endWithThis(process);
  }

  /** Whoever interrupts the benchmark leaves nothing behind, not even what is stopped. */
  private static void endWithThis(Process child) {
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
    try {
      Process started =
          new ProcessBuilder(generatorCommand)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      endWithThis(started);
      generator = Optional.of(started);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot start: command=" + String.join(" ", generatorCommand), e);
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
    generator.ifPresent(ProcessSignal::stop);
    ProcessSignal.stop(process);
  }

  public void resume() {
    ProcessSignal.resume(process);
    generator.ifPresent(ProcessSignal::resume);
  }

  /** Lets it end in good order; what it prints then. */
  public String finish() {
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
    }
  }
}
