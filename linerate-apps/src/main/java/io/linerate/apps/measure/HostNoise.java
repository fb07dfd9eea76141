package io.linerate.apps.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the machine did besides, from a moment on: CPU time that the hypervisor gave to others, and
 * the part of the time in which a thread waited for a CPU (proc(5), {@code /proc/stat} and {@code
 * /proc/pressure/cpu}).
 */
final class HostNoise {
  private static final int STEAL = 7;
  private static final Pattern WAITED = Pattern.compile("some .*total=([0-9]+)");
  private static final double US_TO_NS = 1e3;

  private final long startNs = System.nanoTime();
  private final long[] startTicks = ticks();
  private final long startWaitedUs = waitedUs();

  /** Per cent of the machine's CPU time that the hypervisor took. */
  double stealPercent() {
    long[] now = ticks();
    long total = 0;
    for (int i = 0; i < now.length; i++) {
      total += now[i] - startTicks[i];
    }
    return total == 0 ? 0 : 100.0 * (now[STEAL] - startTicks[STEAL]) / total;
  }

  /** Per cent of the time in which a thread waited for a CPU; 0 when the kernel does not say. */
  double waitPercent() {
    return 100 * US_TO_NS * (waitedUs() - startWaitedUs) / (System.nanoTime() - startNs);
  }

  /** User, nice, system, idle, I/O wait, interrupts, soft interrupts, steal. */
  private static long[] ticks() {
    String[] words = read("/proc/stat").split("\\s+", STEAL + 3);
    long[] ticks = new long[STEAL + 1];
    for (int i = 0; i < ticks.length && i + 1 < words.length; i++) {
      ticks[i] = Long.parseLong(words[i + 1]);
    }
    return ticks;
  }

  private static long waitedUs() {
    Matcher matcher = WAITED.matcher(read("/proc/pressure/cpu"));
    return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      return "";
    }
  }
}
