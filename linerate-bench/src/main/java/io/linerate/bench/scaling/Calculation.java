package io.linerate.bench.scaling;

import java.util.concurrent.locks.LockSupport;

/** Arithmetic in registers, counted as if a step were a packet. */
final class Calculation {
  private static final int STEPS = 10_000;
  private static final int COUNT = 32;

  private final Gate gate;

  /** What was done, with nothing else on its cache line. */
  private final long[] counts = new long[2 * COUNT];

  Calculation(Gate gate) {
    this.gate = gate;
  }

  void run() {
    long value = System.nanoTime();
    while (true) {
      if (!gate.isOpen) {
        LockSupport.parkNanos(1_000_000);
        continue;
      }
      for (int i = 0; i < STEPS; i++) {
        value = (value ^ (value >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
      }
      counts[COUNT + 1] = value;
      synchronized (counts) {
        counts[COUNT] += STEPS;
      }
    }
  }

  long done() {
    synchronized (counts) {
      return counts[COUNT];
    }
  }
}
