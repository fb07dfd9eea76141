package io.linerate.driver.dpdk;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.PacketPools;

/**
 * Which packets a device is given as they are; of others it gets copies.
 *
 * @param pools of the engine, whose packets DPDK cannot free
 * @param isOneSegment whether it takes packets of one segment only (multi-segment=off)
 * @param onlyPool the one pool that all packets have to be of (fast-free=on); 0: any of DPDK's
 */
record PlainPackets(PacketPools pools, boolean isOneSegment, long onlyPool) {
  static PlainPackets of(DeviceOffloads offloads, PacketPools pools, DpdkPool pool) {
    boolean isFast = offloads.has(Offload.FAST_FREE);
    return new PlainPackets(pools, isFast || offloads.isOneSegment(), isFast ? pool.address() : 0);
  }

  /** Whether each packet has to be looked at, though all of them are DPDK's. */
  boolean looksAtEach() {
    return isOneSegment;
  }

  boolean mustCopy(long mbuf) {
    return pools.isOwn(mbuf)
        || (isOneSegment && Mbuf.segments(mbuf) > 1)
        || (onlyPool != 0 && Mbuf.pool(mbuf) != onlyPool);
  }
}
