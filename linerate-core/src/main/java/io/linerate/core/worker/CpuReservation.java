package io.linerate.core.worker;

import java.io.File;
import java.util.BitSet;
import java.util.Collection;
import java.util.function.BiConsumer;

/**
 * CPUs that only workers run on. While it is open, the other threads of the process, and those that
 * they start, run elsewhere: the JVM's compiler and collector, those of drivers, a page, the
 * program itself. A worker that polls loses its CPU to none of them, not even for one of the
 * kernel's time slices, in which a thousand packets may come.
 *
 * <p>Threads that are tied to one CPU stay where they are. Where no other CPU is allowed, nothing
 * changes. Other processes are not kept away: see isolcpus of the kernel for that.
 */
public final class CpuReservation implements AutoCloseable {
  private static final File THREADS = new File("/proc/self/task");

  private final BitSet before = CpuAffinity.allowed();
  private final BitSet rest = (BitSet) before.clone();

  private CpuReservation(Collection<Integer> cpus) {
    cpus.forEach(rest::clear);
  }

  /**
   * Keeps CPUs for workers.
   *
   * @param cpus those that the workers are tied to; none: nothing is kept
   */
  public static CpuReservation of(Collection<Integer> cpus) {
    CpuReservation reservation = new CpuReservation(cpus);
    if (!reservation.rest.isEmpty() && !reservation.rest.equals(reservation.before)) {
      eachThread((thread, allowed) -> {
        if (allowed.equals(reservation.before)) {
          CpuAffinity.set(thread, reservation.rest);
        }
      });
    }
    return reservation;
  }

  /** Threads that end meanwhile are passed over. */
  private static void eachThread(BiConsumer<Integer, BitSet> action) {
    String[] threads = THREADS.list();
    for (String name : threads == null ? new String[0] : threads) {
      int thread = Integer.parseInt(name);
      CpuAffinity.allowed(thread).ifPresent(allowed -> action.accept(thread, allowed));
    }
  }

  /** Lets the other threads run everywhere again. */
  @Override
  public void close() {
    if (rest.isEmpty() || rest.equals(before)) {
      return;
    }
    eachThread((thread, allowed) -> {
      if (allowed.equals(rest)) {
        CpuAffinity.set(thread, before);
      }
    });
  }
}
