package io.linerate.core.worker;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.Port;

/** Drops the packets of link types that a port does not transmit, as {@code tx_link_type}. */
final class LinkGate {
  private final Port port;
  private final PacketPools pools;
  private final DropCounts drops;
  private final MbufArray refused;

  LinkGate(Port port, PacketPools pools, DropCounts drops, int capacity) {
    this.port = port;
    this.pools = pools;
    this.drops = drops;
    refused = new MbufArray(capacity);
  }

  /** Leaves in the array what the port transmits, in its order. */
  void apply(MbufArray packets) {
    int kept = 0;
    for (int i = 0; i < packets.size(); i++) {
      long mbuf = packets.handle(i);
      if (port.transmits(LinkType.of(Mbuf.linkType(mbuf)))) {
        packets.handle(kept++, mbuf);
      } else {
        refused.append(mbuf);
      }
    }
    int count = refused.size();
    if (count > 0) {
      packets.removeLast(count);
      long handles = Handles.address(refused.address(), 0);
      drops.addPackets(DropReason.TX_LINK_TYPE, handles, count);
      refused.clear();
      pools.free(handles, count);
    }
  }
}
