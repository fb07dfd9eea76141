package io.linerate.testkit;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketChains;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.driver.SegmentCopy;

/**
 * Makes packets of frames in a pool of its own: of one segment where they fit, of several where
 * they do not. For one thread.
 */
public final class PacketMaker {
  private final BufferPool pool;
  private final PacketChains chains;

  /**
   * @param pools those of the engine in which the packets will travel
   */
  public PacketMaker(String name, PacketPools pools, int capacity) {
    pool = pools.create(name, capacity, Packets.HEADROOM_BYTES, Packets.ROOM_BYTES);
    chains = new PacketChains(() -> pool);
  }

  public BufferPool pool() {
    return pool;
  }

  /**
   * Appends a packet to the array.
   *
   * @return whether there were buffers enough
   */
  public boolean append(MbufArray packets, byte[] frame) {
    long mbuf = chains.make(frame.length);
    if (mbuf == 0) {
      return false;
    }
    SegmentCopy.write(mbuf, 0, frame, 0, frame.length);
    packets.append(mbuf, pool);
    return true;
  }
}
