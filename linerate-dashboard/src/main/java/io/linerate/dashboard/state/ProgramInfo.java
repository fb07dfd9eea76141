package io.linerate.dashboard.state;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Which program it is.
 *
 * @param startedMs since 1970
 * @param command what it was started with
 */
public record ProgramInfo(String name, long pid, String version, long startedMs, String command) {
  /** What stands behind the class that the virtual machine runs. */
  private static final Pattern ARGUMENTS = Pattern.compile("\\.Main (.*)$");

  /** This process. */
  public static ProgramInfo ofThis(String name, String version) {
    ProcessHandle self = ProcessHandle.current();
    return new ProgramInfo(
        name,
        self.pid(),
        version,
        self.info().startInstant().map(start -> start.toEpochMilli()).orElse(0L),
        command(self.info().arguments().orElse(new String[0])));
  }

  /** Another process, by what its counters file says. */
  public static ProgramInfo of(io.linerate.core.counter.ProgramInfo program) {
    Matcher command = ARGUMENTS.matcher(program.command());
    return new ProgramInfo(
        program.name(),
        program.pid(),
        program.version(),
        program.startedMs(),
        command.find() ? command.group(1) : "");
  }

  /** Without what is the virtual machine's: that ends with the class that it runs. */
  private static String command(String[] arguments) {
    List<String> all = List.of(arguments);
    int main =
        IntStream.range(0, arguments.length)
            .filter(i -> arguments[i].endsWith(".Main"))
            .findFirst()
            .orElse(-1);
    return String.join(" ", all.subList(main + 1, all.size()));
  }
}
