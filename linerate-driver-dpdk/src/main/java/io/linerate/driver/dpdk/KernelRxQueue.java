package io.linerate.driver.dpdk;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.driver.PartialChecksum;
import io.linerate.core.driver.TransportHeader;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.RxQueueDecorator;

/**
 * Receives from an interface of the kernel by a driver of DPDK that keeps from us what the kernel
 * says of a packet. Where its checksum is not finished, it is finished here; where a ring had less
 * room than it has bytes (net_af_packet), what is left of it is dropped and counted as an error.
 */
final class KernelRxQueue implements RxQueueDecorator {
  private final RxQueue inner;
  private final PacketPools pools;
  private final int ringBytes;
  private final PartialChecksum checksum = new PartialChecksum();
  private final TransportHeader header = new TransportHeader();

  /** Packets that came cut, and what was left of them. */
  private final QueueCounts cut = new QueueCounts(2);

  /**
   * @param ringBytes room for a packet in the kernel's ring; 0 where packets come whole
   */
  KernelRxQueue(RxQueue inner, PacketPools pools, int ringBytes) {
    this.inner = inner;
    this.pools = pools;
    this.ringBytes = ringBytes;
  }

  @Override
  public RxQueue inner() {
    return inner;
  }

  @Override
  public int receive(MbufArray packets) {
    int from = packets.size();
    int received = inner.receive(packets);
    int whole = 0;
    for (int i = 0; i < received; i++) {
      long mbuf = packets.handle(from + i);
      if (ringBytes > 0 && isCut(mbuf)) {
        cut.add(QueueCounts.BYTES, Mbuf.packetLength(mbuf));
        pools.free(Handles.address(packets.address(), from + i), 1);
      } else {
        boolean _ = checksum.finish(mbuf);
        packets.handle(from + whole++, mbuf);
      }
    }
    if (whole < received) {
      packets.removeLast(received - whole);
      cut.add(QueueCounts.PACKETS, received - whole);
      cut.publish();
    }
    return whole;
  }

  /** A packet that fills the room may well be whole; then its IP header says so. */
  private boolean isCut(long mbuf) {
    return Mbuf.packetLength(mbuf) >= ringBytes && header.isCut(mbuf);
  }

  /** What came cut, and is dropped. */
  QueueCounts cut() {
    return cut;
  }
}
