package io.linerate.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Heap bytes that a thread allocates while it works on packets, measured over windows of many
 * packets: once the code is compiled, a window without any shows that the steady state allocates
 * nothing.
 */
public final class AllocationMeter {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final int windowPackets;
  private final long[] windows = new long[1_024];
  private int size;
  private long packets;
  private long startBytes;

  public AllocationMeter(int windowPackets) {
    this.windowPackets = windowPackets;
  }

  /** Called on the measured thread after it worked on {@code count} packets. */
  public void add(int count) {
    packets += count;
    if (packets >= windowPackets && size < windows.length) {
      packets = 0;
      long now = THREADS.getCurrentThreadAllocatedBytes();
      windows[size++] = now - startBytes;
      startBytes = now;
    }
  }

  /** Whether the last window was without any. */
  public boolean isQuiet() {
    return size > 1 && windows[size - 1] == 0;
  }

  /** Bytes of each window; the first, which began with the thread, is left out. */
  public List<Long> windows() {
    List<Long> bytes = new ArrayList<>();
    for (int i = 1; i < size; i++) {
      bytes.add(windows[i]);
    }
    return bytes;
  }
}
