package io.linerate.driver.dpdk;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.RxQueueDecorator;

/** Counts what a receive queue brings, while its gate is open. */
record CountingRxQueue(RxQueue inner, QueueCounts counts, QueueGate gate)
    implements RxQueueDecorator {
  @Override
  public int receive(MbufArray packets) {
    int from = packets.size();
    int count;
    synchronized (gate) {
      count = gate.isOpen() ? inner.receive(packets) : 0;
    }
    if (count > 0) {
      counts.add(QueueCounts.PACKETS, count);
      counts.add(QueueCounts.BYTES, lengthBytes(packets, from));
      counts.publish();
    }
    return count;
  }

  /** Length of the packets from slot {@code from} on: added up where nobody knows the sum. */
  static long lengthBytes(MbufArray packets, int from) {
    if (from == 0 && packets.bytes() != MbufArray.UNKNOWN) {
      return packets.bytes();
    }
    long lengthBytes = 0;
    for (int i = from; i < packets.size(); i++) {
      lengthBytes += Mbuf.packetLength(packets.handle(i));
    }
    return lengthBytes;
  }
}
