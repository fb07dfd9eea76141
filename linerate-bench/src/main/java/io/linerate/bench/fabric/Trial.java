package io.linerate.bench.fabric;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program that is started once to see whether it can be. */
final class Trial {
  private static final long TIMEOUT_S = 20;

  private Trial() {}

  /** Its exception, or its first line, if it fails; empty if it does not. */
  static String failure(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return "it does not end: command=" + String.join(" ", command);
      }
      return process.exitValue() == 0 ? "" : reason(said);
    } catch (IOException e) {
      return "it cannot be started: error=" + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "it was interrupted";
    }
  }

  private static String reason(String said) {
    return said.lines()
        .filter(line -> line.contains("Error") || line.contains("Exception"))
        .findFirst()
        .or(() -> said.lines().findFirst())
        .orElse("it says nothing");
  }
}
