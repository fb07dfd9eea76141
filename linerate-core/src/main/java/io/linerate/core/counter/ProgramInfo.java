package io.linerate.core.counter;

/**
 * Which program samples are of.
 *
 * @param pid number of its process
 * @param name from its configuration
 * @param version of Linerate
 * @param startedMs when it started to run, in ms since 1970
 * @param command how it was called
 */
public record ProgramInfo(long pid, String name, String version, long startedMs, String command) {
  /** The version of Linerate. */
  public static final String VERSION = "0.1.0";

  private static final int MAX_COMMAND_LENGTH = 1_000;

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
    return run.isEmpty() ? process.info().commandLine().orElse("") : run;
  }

  private static String line(String text) {
    return text.replaceAll("\\p{Cntrl}", " ");
  }
}
