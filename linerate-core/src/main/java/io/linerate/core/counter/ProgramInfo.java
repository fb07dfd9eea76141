package io.linerate.core.counter;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Which program samples are of.
 *
 * @param pid number of its process
 * @param name from its configuration
 * @param version of Linerate
 * @param startedMs when it started to run, in ms since 1970
 * @param command how it was called, without what is the virtual machine's
 */
public record ProgramInfo(long pid, String name, String version, long startedMs, String command) {
  /** The version of Linerate: the build's. */
  public static final String VERSION = buildVersion();

  private static final int MAX_COMMAND_LENGTH = 1_000;

  /** The class that the virtual machine runs, of a command of ours or one that needs no name. */
  private static final Pattern MAIN = Pattern.compile("^\\S*\\.Main( |$)");

  /** This process, from now on. */
  public static ProgramInfo ofThisProcess(String name) {
    ProcessHandle process = ProcessHandle.current();
    String command = command(process);
    return new ProgramInfo(
        process.pid(),
        line(name),
        VERSION,
        System.currentTimeMillis(),
        line(command.substring(0, Math.min(command.length(), MAX_COMMAND_LENGTH))));
  }

  /** Without the virtual machine's own options, which are long, where it tells that. */
  private static String command(ProcessHandle process) {
    String run = System.getProperty("sun.java.command", "");
    return run.isEmpty()
        ? process.info().commandLine().orElse("")
        : MAIN.matcher(run).replaceFirst("");
  }

  private static String line(String text) {
    return text.replaceAll("\\p{Cntrl}", " ");
  }

  private static String buildVersion() {
    try (InputStream in = ProgramInfo.class.getResourceAsStream("version")) {
      return in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("the version cannot be read", e);
    }
  }
}
