package io.linerate.driver.dpdk;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.RxQueueDecorator;

/** Receives from net_pcap, which says when packets came in us since the epoch (rte_eth_pcap.c). */
record PcapTimeRxQueue(RxQueue inner) implements RxQueueDecorator {
  private static final long NS_PER_US = 1_000;

  @Override
  public int receive(MbufArray packets) {
    int from = packets.size();
    int received = inner.receive(packets);
    for (int i = from; i < from + received; i++) {
      long mbuf = packets.handle(i);
      if (Mbuf.hasTimestamp(mbuf)) {
        Mbuf.timestampNs(mbuf, Mbuf.timestampNs(mbuf) * NS_PER_US);
      }
    }
    return received;
  }
}
