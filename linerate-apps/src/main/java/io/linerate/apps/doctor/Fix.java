package io.linerate.apps.doctor;

import io.linerate.program.run.CommandException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A command that mends something. It is no shell's: names of interfaces may have any character.
 *
 * @param undo a command that takes it back; "" if there is no need to
 */
record Fix(List<String> command, String undo) {
  Fix {
    command = List.copyOf(command);
  }

  /** The command as this user may run it. */
  List<String> words() {
    if (System.getProperty("user.name").equals("root")) {
      return command;
    }
    List<String> words = new ArrayList<>(List.of("sudo", "-n"));
    words.addAll(command);
    return words;
  }

  /** As one writes it. */
  String text() {
    return words().stream().map(Fix::quoted).collect(Collectors.joining(" "));
  }

  /** A word as one writes it for a shell, whatever is in it. */
  static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./:=@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /**
   * Runs it.
   *
   * @throws CommandException if it fails: with what it said last
   */
  void run() {
    try {
      Process process = new ProcessBuilder(words()).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      if (status != 0) {
        throw failure(said.lines().reduce("status " + status, (_, last) -> last));
      }
    } catch (IOException e) {
      throw failure(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure("interrupted");
    }
  }

  private CommandException failure(String reason) {
    return new CommandException(
        "cannot mend it: command=%s, reason=%s; run it by hand, as root".formatted(text(), reason));
  }
}
