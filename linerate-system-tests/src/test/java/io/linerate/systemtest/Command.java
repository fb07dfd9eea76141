package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A program that a test has started, with all that it says. Closing ends it. */
final class Command implements AutoCloseable {
  private static final long TIMEOUT_S = 180;

  private final String line;
  private final Process process;

  // Written by the thread that reads, read by the test.
  @SuppressWarnings("JdkObsolete")
  private final StringBuffer errors = new StringBuffer();

  @SuppressWarnings("JdkObsolete")
  private final StringBuffer written = new StringBuffer();

  private final CompletableFuture<String> output;
  private final CompletableFuture<Void> errorsRead;

  private Command(List<String> words) {
    line = String.join(" ", words);
    try {
      process = new ProcessBuilder(words).start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start: command=" + line, e);
    }
    output = CompletableFuture.supplyAsync(this::readOutput, Command::inThread);
    errorsRead = CompletableFuture.runAsync(this::readErrors, Command::inThread);
  }

  private static void inThread(Runnable work) {
    Thread.ofPlatform().daemon().start(work);
  }

  static Command start(String... words) {
    return new Command(List.of(words));
  }

  static Command start(List<String> words) {
    return new Command(words);
  }

  /** Runs a program to its end, which must be a good one, and returns what it wrote. */
  static String run(String... words) {
    try (Command command = start(words)) {
      assertThat(command.awaitExit()).as("%s%n%s", command.line, command.errors).isZero();
      return command.output.join();
    }
  }

  /** Runs a program to its end and returns its exit status. */
  static int status(String... words) {
    try (Command command = start(words)) {
      return command.awaitExit();
    }
  }

  /** The linerate command, in a virtual machine of its own. */
  static List<String> linerate(String... arguments) {
    return java("io.linerate.apps.Main", arguments);
  }

  /** Another program of this class path, in a virtual machine of its own. */
  static List<String> java(Class<?> main, String... arguments) {
    return java(main.getName(), arguments);
  }

  /** A program of {@code examples/}, from its source. */
  static List<String> example(String name, String... arguments) {
    return java(Lab.project().resolve("examples/" + name + ".java").toString(), arguments);
  }

  private static List<String> java(String main, String... arguments) {
    List<String> words = new ArrayList<>();
    words.add(ProcessHandle.current().info().command().orElse("java"));
    words.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-cp"));
    words.add(System.getProperty("java.class.path"));
    words.add(main);
    words.addAll(List.of(arguments));
    return words;
  }

  /** Writes a line to its standard input. */
  void say(String line) {
    try {
      process.outputWriter(StandardCharsets.UTF_8).append(line).append('\n').flush();
    } catch (IOException e) {
      throw new UncheckedIOException("program does not listen: errors=" + errors, e);
    }
  }

  /** The same command in a network namespace. */
  static List<String> in(String namespace, List<String> words) {
    List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
    all.addAll(words);
    return all;
  }

  int awaitExit() {
    int status = awaitEnd();
    errorsRead.join();
    return status;
  }

  private int awaitEnd() {
    try {
      if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
        throw new AssertionError("program does not end: command=" + line + ", errors=" + errors);
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Waits until the program has said something on standard error. */
  void awaitError(Predicate<String> said) {
    await(errors, said, errorsRead);
  }

  /** Waits until the program has written something to standard output. */
  void awaitOutput(Predicate<String> said) {
    await(written, said, output);
  }

  private void await(CharSequence text, Predicate<String> said, CompletableFuture<?> read) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
    boolean isLast = false;
    while (!said.test(text.toString())) {
      if (System.nanoTime() > end || isLast) {
        throw new AssertionError(
            "program has not said what was awaited: command=%s, said=%s, errors=%s"
                .formatted(line, text, errors));
      }
      isLast = !process.isAlive() && read.isDone();
      pause(20);
    }
  }

  /** All that it wrote to standard output; waits for its end. */
  String output() {
    return output.join();
  }

  String errors() {
    return errors.toString();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  /** SIGTERM, as from a service manager. By its handle: the process would close its streams too. */
  void terminate() {
    process.toHandle().destroy();
  }

  /** SIGKILL. What it started itself may live on, and go on to write. */
  void kill() {
    process.destroyForcibly();
    int _ = awaitEnd();
  }

  static void pause(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private void readErrors() {
    try (var reader = process.errorReader(StandardCharsets.UTF_8)) {
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        errors.append(text).append('\n');
      }
    } catch (IOException e) {
      errors.append("[not readable: ").append(e.getMessage()).append("]");
    }
  }

  private String readOutput() {
    char[] some = new char[8_192];
    try (Reader reader = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
      for (int n = reader.read(some); n >= 0; n = reader.read(some)) {
        written.append(some, 0, n);
      }
      return written.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      process.destroy();
      try {
        if (!process.waitFor(5, TimeUnit.SECONDS)) {
          process.destroyForcibly().waitFor();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
