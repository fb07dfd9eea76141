package io.linerate.driver.dpdk;

import io.linerate.core.counter.CounterBlock;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;

/**
 * Packets and bytes that went through a queue. For devices whose own counts begin again at 0 while
 * they are open: net_memif's do when its peer goes (memif_disconnect in rte_eth_memif.c).
 */
final class QueueTally {
  private static final int PACKETS = 0;
  private static final int BYTES = 1;

  private final CounterBlock counters = new CounterBlock(2);
  private long packets;
  private long packetBytes;

  /** Whether a driver's devices need it. */
  static boolean isNeeded(String driver) {
    return driver.equals("net_memif");
  }

  void add(int count, long lengthBytes) {
    packets += count;
    packetBytes += lengthBytes;
    counters.begin();
    counters.set(PACKETS, packets);
    counters.set(BYTES, packetBytes);
    counters.publish();
  }

  /** Length of the packets from slot {@code from} on. */
  static long lengthBytes(MbufArray packets, int from) {
    long handles = packets.address();
    long lengthBytes = 0;
    for (int i = from; i < packets.size(); i++) {
      lengthBytes += Mbuf.packetLength(Handles.get(handles, i));
    }
    return lengthBytes;
  }

  long packets() {
    return counters.read()[PACKETS];
  }

  long bytes() {
    return counters.read()[BYTES];
  }
}
