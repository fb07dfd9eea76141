package io.linerate.driver.dpdk;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PartialChecksum;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.RxQueueDecorator;

/**
 * Receives from a virtio device with rx-checksum=on: its peer may leave checksums to a device that
 * is none (RTE_MBUF_F_RX_L4_CKSUM_NONE of rte_mbuf_core.h). They are finished here.
 */
final class FinishingRxQueue implements RxQueueDecorator {
  private static final long NONE = Mbuf.TRANSPORT_CHECKSUM_BAD | Mbuf.TRANSPORT_CHECKSUM_GOOD;

  private final RxQueue inner;
  private final PartialChecksum checksum = new PartialChecksum();

  FinishingRxQueue(RxQueue inner) {
    this.inner = inner;
  }

  @Override
  public RxQueue inner() {
    return inner;
  }

  @Override
  public int receive(MbufArray packets) {
    int from = packets.size();
    int received = inner.receive(packets);
    for (int i = from; i < from + received; i++) {
      long mbuf = packets.handle(i);
      long flags = Mbuf.flags(mbuf);
      if ((flags & NONE) == NONE) {
        if (checksum.finish(mbuf)) {
          Mbuf.flags(mbuf, flags & ~Mbuf.TRANSPORT_CHECKSUM_BAD);
        }
      }
    }
    return received;
  }
}
