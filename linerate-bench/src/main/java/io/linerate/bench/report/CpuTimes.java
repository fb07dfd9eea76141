package io.linerate.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The first line of {@code /proc/stat}, see proc(5): ticks of all CPUs since the machine started.
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

  /** As it is now; all 0 where there is no such file. */
  public static CpuTimes now() {
    try {
      List<String> lines = Files.readAllLines(FILE);
      return parse(lines.getFirst());
    } catch (IOException e) {
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

  /** Part of the time since then in which there was work. */
  public double busyShare(CpuTimes then) {
    return total == then.total ? 0 : 1 - (double) (idle - then.idle) / (total - then.total);
  }
}
