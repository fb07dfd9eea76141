package io.linerate.dashboard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * When a process started: with that, a number of a process names one for good. In the kernel's
 * ticks since the machine started, because clocks are set.
 */
final class ProcessStart {
  /** Place of {@code starttime} behind the command's name: proc(5), field 22, where state is 3. */
  private static final int PLACE = 22 - 3;

  private ProcessStart() {}

  /** Of the process that has this number now; empty if there is none. */
  static OptionalLong ticks(long pid) {
    try {
      Path stat = Path.of("/proc", String.valueOf(pid), "stat");
      String text = new String(Files.readAllBytes(stat), StandardCharsets.ISO_8859_1);
      // The name is in brackets, and may have brackets and spaces in it.
      String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
      return OptionalLong.of(Long.parseLong(fields[PLACE]));
    } catch (IOException | RuntimeException e) {
      return OptionalLong.empty();
    }
  }
}
