package io.linerate.bench.latency;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process, all of its threads on one CPU. It says {@code ready}, and ends when its standard input
 * does.
 */
final class Program implements AutoCloseable {
  private static final int TIMEOUT_S = 10;

  private final Process process;
  private final BufferedReader answers;
  private final Writer orders;

  private Program(Process process) {
    this.process = process;
    answers = process.inputReader(StandardCharsets.UTF_8);
    orders = process.outputWriter(StandardCharsets.UTF_8);
  }

  /**
   * Starts it and waits until it is ready.
   *
   * @param folder where DPDK may leave its files, and its messages go
   */
  static Program start(String name, List<String> command, int cpu, Path folder) throws IOException {
    List<String> words = new ArrayList<>(List.of("taskset", "-c", Integer.toString(cpu)));
    words.addAll(command);
    Path messages = folder.resolve(name + ".err");
    ProcessBuilder builder = new ProcessBuilder(words).redirectError(messages.toFile());
    builder.environment().put("RUNTIME_DIRECTORY", folder.toString());
    Program program = new Program(builder.start());
    if (!program.awaitReady()) {
      throw new IOException(
          "program ended at once: command="
              + String.join(" ", command)
              + ", messages="
              + Files.readString(messages).strip());
    }
    return program;
  }

  private boolean awaitReady() throws IOException {
    String line = answers.readLine();
    while (line != null && !line.equals("ready")) {
      line = answers.readLine();
    }
    return line != null;
  }

  /** Has the meter measure. */
  MeterRun measure(double packetsPerS, int ms) throws IOException {
    orders.write("run " + packetsPerS + " " + ms + "\n");
    orders.flush();
    return MeterRun.read(answers);
  }

  /** Ends the input; the process answers with what it says last, and ends. */
  @Override
  public void close() throws IOException {
    try {
      orders.close();
      if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
      answers.close();
    }
  }
}
