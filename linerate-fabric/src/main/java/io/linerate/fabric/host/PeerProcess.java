package io.linerate.fabric.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A process of this host, by its number and the time it was started: another one that gets the same
 * number later is not it.
 *
 * @param pid its number, in this PID namespace
 * @param started field 22 of /proc/PID/stat: clock ticks after the boot (proc(5))
 */
public record PeerProcess(int pid, long started) {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  /** Where shm's region has the number of its process: behind version, reserve and flags. */
  private static final int PID_OFFSET = 4;

  /** Whose the region of a name of shm is; null if there is none, or it cannot be told. */
  public static @Nullable PeerProcess ofSharedMemory(String name) {
    int pid = pidOf(SHARED_MEMORY.resolve(name));
    return pid > 0 ? of(pid) : null;
  }

  /** The process of a number, as it is now; null if there is none. */
  public static @Nullable PeerProcess of(int pid) {
    long started = started(pid);
    return started < 0 ? null : new PeerProcess(pid, started);
  }

  /** This process. */
  public static PeerProcess own() {
    int pid = Math.toIntExact(ProcessHandle.current().pid());
    return new PeerProcess(pid, started(pid));
  }

  /** The number that a region of shm has, 0 if there is none. */
  static int pidOf(Path region) {
    try (FileChannel file = FileChannel.open(region, StandardOpenOption.READ)) {
      ByteBuffer head = ByteBuffer.allocate(PID_OFFSET + Integer.BYTES);
      head.order(ByteOrder.nativeOrder());
      while (head.hasRemaining() && file.read(head) > 0) {
        // Until the head is whole.
      }
      return head.hasRemaining() ? 0 : head.getInt(PID_OFFSET);
    } catch (IOException e) {
      return 0;
    }
  }

  public boolean isAlive() {
    return started(pid) == started;
  }

  /** -1 if there is no such process, or nothing but its exit status is left of it. */
  private static long started(int pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      // The name, in parentheses, may have anything in it: what comes behind the last one counts.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      boolean isDead = fields[0].equals("Z") || fields[0].equals("X");
      return isDead ? -1 : Long.parseLong(fields[19]);
    } catch (IOException | RuntimeException e) {
      return -1;
    }
  }
}
