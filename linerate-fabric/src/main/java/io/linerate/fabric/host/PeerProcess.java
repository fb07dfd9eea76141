package io.linerate.fabric.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A process of this host, by its number and the time it was started: another one that gets the same
 * number later is not it.
 *
 * @param pid its number, in this PID namespace
 * @param started field 22 of /proc/PID/stat: clock ticks after the boot (proc(5))
 */
public record PeerProcess(int pid, long started) {
  private static final PeerProcess OWN = ofThis();

  /** The process of a number, as it is now; null if there is none. */
  public static @Nullable PeerProcess of(int pid) {
    long started = started(pid);
    return started < 0 ? null : new PeerProcess(pid, started);
  }

  /** This process. */
  public static PeerProcess own() {
    return OWN;
  }

  private static PeerProcess ofThis() {
    int pid = Math.toIntExact(ProcessHandle.current().pid());
    return new PeerProcess(pid, started(pid));
  }

  public boolean isAlive() {
    return started(pid) == started;
  }

  /** Whether a process is stopped: by a signal, or by a debugger. */
  public static boolean isStopped(int pid) {
    String[] fields = fields(pid);
    return fields.length > 0 && (fields[0].equals("T") || fields[0].equals("t"));
  }

  /** -1 if there is no such process, or nothing but its exit status is left of it. */
  private static long started(int pid) {
    String[] fields = fields(pid);
    boolean isDead = fields.length < 20 || fields[0].equals("Z") || fields[0].equals("X");
    return isDead ? -1 : Long.parseLong(fields[19]);
  }

  /** Of /proc/PID/stat, behind the process's name; none if there is no such process. */
  private static String[] fields(int pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      // The name, in parentheses, may have anything in it: what comes behind the last one counts.
      return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    } catch (IOException | RuntimeException e) {
      return new String[0];
    }
  }
}
