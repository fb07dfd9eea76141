package io.linerate.driver.pcap.libpcap;

import io.linerate.core.driver.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/**
 * What libpcap counts of an interface: numbers of 32 bits, which are added up here before they
 * begin anew. One thread at a time.
 */
final class LibpcapLosses {
  /** By the places of {@code struct pcap_stat}. */
  private static final int RECEIVED = 0;

  private static final int DROPPED = 1;
  private static final int DROPPED_BY_INTERFACE = 2;
  private static final int NUMBERS = 3;

  private final MemorySegment statistics = Arena.ofAuto().allocate(4L * NUMBERS, 8);
  private final int[] last = new int[NUMBERS];
  private final long[] sums = new long[NUMBERS];

  void read(LibpcapHandle handle) {
    synchronized (handle) {
      if (handle.readStatistics(statistics)) {
        for (int i = 0; i < NUMBERS; i++) {
          int now = NativeMemory.u32(statistics.address() + 4L * i);
          // An interface that was deleted has lost nothing any more.
          sums[i] += Math.max(0, now - last[i]);
          last[i] = now;
        }
      }
    }
  }

  /** Lost for want of room in the buffer, or by the interface. */
  long missed() {
    return sums[DROPPED] + sums[DROPPED_BY_INTERFACE];
  }

  void addTo(Map<String, Long> extended) {
    extended.put("ps_recv", sums[RECEIVED]);
    extended.put("ps_drop", sums[DROPPED]);
    extended.put("ps_ifdrop", sums[DROPPED_BY_INTERFACE]);
  }
}
