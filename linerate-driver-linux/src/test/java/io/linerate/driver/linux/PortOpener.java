package io.linerate.driver.linux;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.PortException;
import io.linerate.core.worker.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that opens a port and says what comes of it, to be run with fewer rights than the test
 * has. Its arguments: the address, and perhaps a system call that fails: its number, the index of
 * an argument, that argument, and the error.
 */
public final class PortOpener {
  private PortOpener() {}

  public static void main(String[] words) {
    if (words.length > 1) {
      SystemCallFilter.install(
          Integer.parseInt(words[1]),
          Integer.parseInt(words[2]),
          Integer.parseInt(words[3]),
          Integer.parseInt(words[4]));
    }
    try (Engine engine = new Engine()) {
      engine.port(words[0]);
      System.out.println("opened");
    } catch (PortException | ConfigException e) {
      System.out.println(e.getMessage());
    }
  }

  /** What it says when it is started by another program, such as setpriv(1). */
  static String run(List<String> starter, String... words) {
    List<String> command = new ArrayList<>(starter);
    command.addAll(
        List.of(
            ProcessHandle.current().info().command().orElse("java"),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            PortOpener.class.getName()));
    command.addAll(List.of(words));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor();
      return said.strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
