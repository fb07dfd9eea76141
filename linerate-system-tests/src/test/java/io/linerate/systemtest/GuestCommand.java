package io.linerate.systemtest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A program that a test has started in a {@link VirtualMachine}: its output is in files of the
 * machine's folder.
 */
final class GuestCommand {
  private final VirtualMachine machine;
  private final Path folder;

  private GuestCommand(VirtualMachine machine, Path folder) {
    this.machine = machine;
    this.folder = folder;
  }

  /**
   * Starts a program.
   *
   * @param name of its folder, which no other program of the machine has
   */
  static GuestCommand start(VirtualMachine machine, String name, List<String> words) {
    Path folder = machine.folder().resolve(name);
    String line =
        words.stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" "));
    try {
      Files.createDirectory(folder);
      Lab.write(
          folder.resolve("command"),
          "cd '" + Path.of("").toAbsolutePath() + "'",
          "echo $$ >'" + folder.resolve("pid") + "'",
          "exec " + line);
      Files.createFile(folder.resolve("go"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new GuestCommand(machine, folder);
  }

  /** Runs a program to its end, which must be a good one, and returns what it wrote. */
  static String run(VirtualMachine machine, String name, List<String> words) {
    GuestCommand command = start(machine, name, words);
    int status = command.awaitExit();
    if (status != 0) {
      throw new AssertionError(
          "program failed: words=%s, status=%d, errors=%s"
              .formatted(words, status, command.errors()));
    }
    return command.output();
  }

  int awaitExit() {
    Path status = folder.resolve("status");
    machine.await(folder.getFileName() + " ends", () -> Files.exists(status));
    return Integer.parseInt(text("status").strip());
  }

  /** Waits until it has said something on standard error. */
  void awaitError(String what, Predicate<String> said) {
    machine.await(
        folder.getFileName() + " says " + what,
        () -> {
          String errors = errors();
          if (said.test(errors)) {
            return true;
          }
          if (Files.exists(folder.resolve("status"))) {
            throw new AssertionError("it ended before it said " + what + ": errors=" + errors);
          }
          return false;
        });
  }

  /** SIGTERM, as from a service manager. */
  void terminate() {
    try {
      Files.createFile(folder.resolve("stop"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String output() {
    return text("output");
  }

  String errors() {
    return text("errors");
  }

  private String text(String file) {
    try {
      return Files.exists(folder.resolve(file)) ? Files.readString(folder.resolve(file)) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
