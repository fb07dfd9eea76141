package io.linerate.core.worker;

import io.linerate.core.config.ConfigException;
import io.linerate.core.driver.Errno;
import io.linerate.core.driver.ThreadCalls;
import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.Optional;

/** Ties threads to CPUs: sched_setaffinity(2) and sched_getaffinity(2). */
public final class CpuAffinity {
  /** CPUs in glibc's {@code cpu_set_t}: CPU n is bit n % 64 of the n / 64-th host-order word. */
  private static final int MAX_CPUS = 1_024;

  private static final int CALLING_THREAD = 0;

  private CpuAffinity() {}

  /**
   * Ties the calling thread to one CPU.
   *
   * @throws ConfigException if the CPU does not exist or may not be used
   */
  public static void pin(int cpu) {
    BitSet cpus = new BitSet();
    cpus.set(cpu);
    set(cpus);
  }

  /** Lets the calling thread run on these CPUs only. */
  public static void set(BitSet cpus) {
    int result = set(CALLING_THREAD, cpus);
    if (result < 0) {
      throw new ConfigException(
          "cannot pin the thread: cpus=%s, sched_setaffinity=%s; name CPUs that it may use: %s"
              .formatted(cpus, Errno.text(result), allowed()));
    }
  }

  /** CPUs that the calling thread may run on. */
  public static BitSet allowed() {
    return allowed(CALLING_THREAD)
        .orElseThrow(() -> new IllegalStateException("sched_getaffinity failed: thread=calling"));
  }

  /**
   * Lets a thread run on these CPUs only.
   *
   * @param thread the kernel's number of it
   * @return 0 or {@code -errno}
   */
  static int set(int thread, BitSet cpus) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(MAX_CPUS / 8, 8);
      long[] words = cpus.toLongArray();
      int count = Math.min(words.length, MAX_CPUS / 64);
      MemorySegment.copy(words, 0, mask, ValueLayout.JAVA_LONG, 0, count);
      return ThreadCalls.setAffinity(thread, mask);
    }
  }

  /** CPUs that a thread may run on; empty when there is no such thread any more. */
  static Optional<BitSet> allowed(int thread) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(MAX_CPUS / 8, 8);
      return ThreadCalls.getAffinity(thread, mask) >= 0
          ? Optional.of(BitSet.valueOf(mask.toArray(ValueLayout.JAVA_LONG)))
          : Optional.empty();
    }
  }

  /** The socket (NUMA node) of a CPU, as the kernel names it; -1 if it does not say. */
  public static int socketOf(int cpu) {
    String[] nodes =
        new File("/sys/devices/system/cpu/cpu" + cpu)
            .list((dir, name) -> name.matches("node[0-9]+"));
    return nodes == null || nodes.length == 0
        ? -1
        : Integer.parseInt(nodes[0].substring("node".length()));
  }

  /** The CPUs of a socket (NUMA node), as the kernel names them; none if it does not say. */
  public static BitSet cpusOf(int socket) {
    BitSet cpus = new BitSet();
    for (int cpu = 0; cpu < MAX_CPUS; cpu++) {
      File node = new File("/sys/devices/system/node/node" + socket + "/cpu" + cpu);
      cpus.set(cpu, node.exists());
    }
    return cpus;
  }
}
