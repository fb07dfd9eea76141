package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Another JVM of a test: it does what the lines say that it is given, and can be killed. */
public final class OtherProgram implements AutoCloseable {
  private static final long SOON_S = 60;
  private static final String END = "\0";

  private final Process process;
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

  private OtherProgram(Process process) {
    this.process = process;
    Thread.ofPlatform().daemon().name("test-reader-" + process.pid()).start(this::read);
  }

  /** Starts a class that has a main. It is to end when its standard input does. */
  public static OtherProgram start(Class<?> main, Object... arguments) {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    for (Object argument : arguments) {
      words.add(argument.toString());
    }
    try {
      return new OtherProgram(new ProcessBuilder(words).redirectErrorStream(true).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends it a signal, such as {@code STOP}. */
  public void signal(String name) throws IOException, InterruptedException {
    assertThat(
            new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor())
        .isZero();
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.add(line);
      }
    } catch (IOException e) {
      said.add(e.toString()); // It was killed while it said something.
    }
    said.add(END);
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Gives it a line. */
  public OtherProgram tell(Object... words) {
    StringBuilder line = new StringBuilder();
    for (Object word : words) {
      line.append(word).append(' ');
    }
    try {
      process
          .getOutputStream()
          .write((line.toString().strip() + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException("said before: " + said, e);
    }
    return this;
  }

  /** Waits for a line that begins with a word; what follows it. */
  public String hear(String word) {
    List<String> others = new ArrayList<>();
    try {
      for (String line = said.poll(SOON_S, TimeUnit.SECONDS);
          line != null && !line.equals(END);
          line = said.poll(SOON_S, TimeUnit.SECONDS)) {
        if (line.equals(word) || line.startsWith(word + " ")) {
          return line.substring(word.length()).strip();
        }
        others.add(line);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return fail("the other program has not said %s, but %s", word, others);
  }

  /** Whether it has said something that was not heard yet. */
  public boolean hasSaid() {
    return !said.isEmpty();
  }

  /**
   * Ends it by SIGKILL.
   *
   * @return when, as {@link System#nanoTime} has it
   */
  public long kill() {
    long when = System.nanoTime();
    process.destroyForcibly();
    return when;
  }

  /** Waits until nothing but its exit status is left of it. */
  public void awaitEnd() {
    try {
      assertThat(process.waitFor(SOON_S, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    awaitEnd();
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It did not read all of it.
    }
  }
}
