package io.linerate.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * Whether a thread works on packets without making objects. Code that is not compiled yet may make
 * some, and nobody knows how long compiling takes: so it is measured in rounds, until one passes
 * without any. A test fails only if none does for minutes:
 *
 * <pre>{@code
 * AllocationMeter meter = new AllocationMeter(10_000);
 * while (!meter.isDone()) {
 *   meter.add(workOnPackets());
 * }
 * meter.assertQuiet();
 * }</pre>
 */
public final class AllocationMeter {
  /** Also where compilers share few CPUs with many programs. */
  private static final long TIMEOUT_NS = 180_000_000_000L;

  private static final int SHOWN_ROUNDS = 10;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final int roundPackets;
  private final long endNs;

  // Of the measured thread; others read them when the meter is done.
  private final long[] bytes = new long[SHOWN_ROUNDS];
  private long threadId;
  private long startBytes;
  private long packets;
  private int rounds;

  private volatile boolean isQuiet;

  /**
   * @param roundPackets so many that what is made once in a while falls into each round
   */
  public AllocationMeter(int roundPackets) {
    this(roundPackets, TIMEOUT_NS);
  }

  AllocationMeter(int roundPackets, long patienceNs) {
    this.roundPackets = roundPackets;
    endNs = System.nanoTime() + patienceNs;
  }

  /** Called on the measured thread after it worked on {@code count} packets. */
  public void add(int count) {
    packets += count;
    if (packets >= roundPackets) {
      endRound();
    }
  }

  /** The first round of a thread, with all that its start made, does not count. */
  private void endRound() {
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    if (threadId == Thread.currentThread().threadId()) {
      bytes[rounds++ % SHOWN_ROUNDS] = allocated - startBytes;
      if (allocated == startBytes) {
        isQuiet = true;
      }
    }
    threadId = Thread.currentThread().threadId();
    startBytes = allocated;
    packets = 0;
  }

  /** Whether a round was without objects, or it is in vain to go on. For any thread. */
  public boolean isDone() {
    return isQuiet || System.nanoTime() - endNs > 0;
  }

  /** Throws an AssertionError, with the last figures, if no round was without objects. */
  public void assertQuiet() {
    if (!isQuiet) {
      throw new AssertionError(
          "objects are made for packets: roundPackets=%d, rounds=%d, bytesOfLastRounds=%s"
              .formatted(roundPackets, rounds, Arrays.toString(lastRounds())));
    }
  }

  private long[] lastRounds() {
    int shown = Math.min(rounds, SHOWN_ROUNDS);
    long[] last = new long[shown];
    for (int i = 0; i < shown; i++) {
      last[i] = bytes[(rounds - shown + i) % SHOWN_ROUNDS];
    }
    return last;
  }
}
