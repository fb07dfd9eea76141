package io.linerate.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * A line of {@code /proc/stat}, see proc(5): ticks of all CPUs since the machine started, or of
 * one.
 *
 * @param total all ticks
 * @param idle those without work
 * @param steal those that the hypervisor gave to others
 */
public record CpuTimes(long total, long idle, long steal) {
  private static final Path FILE = Path.of("/proc/stat");
  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;
  private static final int STEAL = 7;

  /** The unit of what the kernel shows, USER_HZ. */
  private static final int TICK_MS = 10;

  /** Of all CPUs, as it is now; all 0 where there is no such file. */
  public static CpuTimes now() {
    return now("cpu ");
  }

  /** Of one. */
  public static CpuTimes now(int cpu) {
    return now("cpu" + cpu + " ");
  }

  private static CpuTimes now(String start) {
    try {
      List<String> lines = Files.readAllLines(FILE);
      return parse(lines.stream().filter(line -> line.startsWith(start)).findFirst().orElseThrow());
    } catch (IOException | NoSuchElementException e) {
      return new CpuTimes(0, 0, 0);
    }
  }

  static CpuTimes parse(String line) {
    long[] ticks =
        Arrays.stream(line.trim().split("\\s+")).skip(1).mapToLong(Long::parseLong).toArray();
    // The last two, for guests, are counted in the first two already.
    long total = Arrays.stream(ticks).limit(STEAL + 1L).sum();
    return new CpuTimes(total, ticks[IDLE] + ticks[IO_WAIT], ticks[STEAL]);
  }

  /** Part of the time since then that the hypervisor gave to others. */
  public double stealShare(CpuTimes then) {
    return total == then.total ? 0 : (double) (steal - then.steal) / (total - then.total);
  }

  /** Time since then that the hypervisor gave to others, to 10 ms. */
  public long stealMs(CpuTimes then) {
    return (steal - then.steal) * TICK_MS;
  }

  /** Part of the time since then in which there was work. */
  public double busyShare(CpuTimes then) {
    return total == then.total ? 0 : 1 - (double) (idle - then.idle) / (total - then.total);
  }
}
