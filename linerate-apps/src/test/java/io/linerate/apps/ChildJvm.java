package io.linerate.apps;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program in a JVM of its own, on the class path of the tests. */
final class ChildJvm implements AutoCloseable {
  private static final long TIMEOUT_S = 180;

  private final Process process;

  ChildJvm(Path folder, Object... arguments) throws IOException {
    process =
        new ProcessBuilder(command(arguments))
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile())
            .start();
  }

  /** What starts a program on the class path of the tests. */
  static List<String> command(Object... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return command;
  }

  long pid() {
    return process.pid();
  }

  void terminate() {
    process.destroy();
  }

  void kill() {
    process.destroyForcibly();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int status() throws InterruptedException {
    if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
      throw new IllegalStateException("child does not end: pid=" + process.pid());
    }
    return process.exitValue();
  }

  static String text(Path folder, String stream) throws IOException {
    return new String(Files.readAllBytes(folder.resolve(stream)), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
