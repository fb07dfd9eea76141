package io.linerate.bench.scaling;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.LongSupplier;

/** A thread and what it has done. */
final class CountedThread {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final long thread;
  private final LongSupplier packets;
  private long startPackets;
  private long startNs;

  CountedThread(long thread, LongSupplier packets) {
    this.thread = thread;
    this.packets = packets;
  }

  void begin() {
    startPackets = packets.getAsLong();
    startNs = THREADS.getThreadCpuTime(thread);
  }

  /** Packets since {@link #begin} by CPU time, in millions a second. */
  double mpps() {
    long done = packets.getAsLong() - startPackets;
    return done * 1e3 / Math.max(1, THREADS.getThreadCpuTime(thread) - startNs);
  }
}
