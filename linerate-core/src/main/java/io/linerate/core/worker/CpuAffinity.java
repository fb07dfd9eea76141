package io.linerate.core.worker;

import io.linerate.core.config.ConfigException;
import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.BitSet;
import java.util.Optional;

/** Ties threads to CPUs: sched_setaffinity(2) and sched_getaffinity(2). */
public final class CpuAffinity {
  /** CPUs in glibc's {@code cpu_set_t}: CPU n is bit n % 64 of the n / 64-th host-order word. */
  private static final int MAX_CPUS = 1_024;

  private static final int CALLING_THREAD = 0;

  private static final FunctionDescriptor SIGNATURE =
      FunctionDescriptor.of(
          ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);
  private static final MethodHandle SET = bind("sched_setaffinity");
  private static final MethodHandle GET = bind("sched_getaffinity");
  private static final VarHandle ERRNO =
      Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));

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
    int errno = set(CALLING_THREAD, cpus);
    if (errno != 0) {
      throw new ConfigException(
          "cannot pin the thread: cpus="
              + cpus
              + ", errno="
              + errno
              + "; name CPUs that it may use: "
              + allowed());
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
   * @return 0, or errno
   */
  static int set(int thread, BitSet cpus) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(MAX_CPUS / 8, 8);
      cpus.stream().filter(cpu -> cpu < MAX_CPUS).forEach(cpu -> setBit(mask, cpu));
      return call(SET, thread, arena, mask);
    }
  }

  /** CPUs that a thread may run on; empty when there is no such thread any more. */
  static Optional<BitSet> allowed(int thread) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(MAX_CPUS / 8, 8);
      return call(GET, thread, arena, mask) == 0
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

  private static void setBit(MemorySegment mask, int bit) {
    long word = mask.getAtIndex(ValueLayout.JAVA_LONG, bit >>> 6);
    mask.setAtIndex(ValueLayout.JAVA_LONG, bit >>> 6, word | (1L << bit));
  }

  private static int call(MethodHandle function, int thread, Arena arena, MemorySegment mask) {
    MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
    try {
      int result = (int) function.invokeExact(state, thread, mask.byteSize(), mask);
      return result >= 0 ? 0 : (int) ERRNO.get(state, 0L);
    } catch (Throwable e) {
      throw new AssertionError("a call of the C library failed", e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle bind(String name) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name),
        SIGNATURE,
        Linker.Option.captureCallState("errno"));
  }
}
