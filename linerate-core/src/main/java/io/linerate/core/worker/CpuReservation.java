package io.linerate.core.worker;

import java.io.File;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * CPUs that only workers run on. While it is open, the other threads of the process, and those that
 * they start, run elsewhere: the JVM's compiler and collector, those of drivers, a page, the
 * program itself. A worker that polls loses its CPU to none of them, not even for one of the
 * kernel's time slices, in which a thousand packets may come.
 *
 * <p>Threads that are tied to one CPU stay where they are, and so do those that could run nowhere
 * else. Other processes are not kept away: see isolcpus of the kernel for that.
 */
public final class CpuReservation implements AutoCloseable {
  private static final File THREADS = new File("/proc/self/task");

  /** A thread may start another before it is moved itself. */
  private static final int PASSES = 4;

  private final BitSet kept = new BitSet();

  /** Where threads could run before, by where they can now. */
  private final Map<BitSet, BitSet> before = new HashMap<>();

  private CpuReservation(Collection<Integer> cpus) {
    cpus.forEach(kept::set);
  }

  /**
   * Keeps CPUs for workers.
   *
   * @param cpus those that the workers are tied to; none: nothing is kept
   */
  public static CpuReservation of(Collection<Integer> cpus) {
    CpuReservation reservation = new CpuReservation(cpus);
    if (!cpus.isEmpty()) {
      int passes = 0;
      while (passes < PASSES && reservation.moveAway()) {
        passes++;
      }
    }
    return reservation;
  }

  /** Moves the threads that are there now; returns whether there was one. */
  private boolean moveAway() {
    boolean hasMoved = false;
    for (int thread : threads()) {
      Optional<BitSet> allowed = CpuAffinity.allowed(thread);
      if (allowed.isPresent() && allowed.get().cardinality() > 1) {
        hasMoved |= moveAway(thread, allowed.get());
      }
    }
    return hasMoved;
  }

  private boolean moveAway(int thread, BitSet allowed) {
    BitSet rest = (BitSet) allowed.clone();
    rest.andNot(kept);
    if (rest.isEmpty() || rest.equals(allowed) || CpuAffinity.set(thread, rest) != 0) {
      return false;
    }
    before.putIfAbsent(rest, allowed);
    return true;
  }

  /** Those of this process, by the kernel's numbers. Some may end meanwhile. */
  private static int[] threads() {
    String[] names = THREADS.list();
    int[] threads = new int[names == null ? 0 : names.length];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = Integer.parseInt(names[i]);
    }
    return threads;
  }

  /** Lets the other threads run everywhere again. */
  @Override
  public void close() {
    if (before.isEmpty()) {
      return;
    }
    for (int thread : threads()) {
      CpuAffinity.allowed(thread).map(before::get).ifPresent(all -> CpuAffinity.set(thread, all));
    }
  }
}
