package io.linerate.testkit;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.PacketView;
import io.linerate.core.time.EpochClock;

/**
 * Makes packets of frames in a pool of its own: of one segment where they fit, of several where
 * they do not. For one thread.
 */
public final class PacketMaker {
  private final BufferPool pool;
  private final MbufArray segments;
  private final PacketView view = new PacketView(EpochClock.SYSTEM);

  /**
   * @param pools those of the engine in which the packets will travel
   */
  public PacketMaker(String name, PacketPools pools, int capacity) {
    pool = pools.create(name, capacity, Packets.HEADROOM_BYTES, Packets.ROOM_BYTES);
    segments = new MbufArray(64);
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
    int count = Math.max(1, Math.ceilDiv(frame.length, Packets.ROOM_BYTES));
    if (!pool.allocate(segments, count)) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      fill(segments.handle(i), frame, i * Packets.ROOM_BYTES);
      Mbuf.next(segments.handle(i), i + 1 < count ? segments.handle(i + 1) : 0);
    }
    long mbuf = segments.handle(0);
    segments.clear();
    Mbuf.packetLength(mbuf, frame.length);
    Mbuf.segments(mbuf, count);
    packets.append(mbuf, pool);
    return true;
  }

  private void fill(long mbuf, byte[] frame, int from) {
    int count = Math.min(frame.length - from, Packets.ROOM_BYTES);
    Mbuf.dataLength(mbuf, count);
    Mbuf.packetLength(mbuf, count);
    view.of(mbuf).set(0, frame, from, count);
    view.end();
  }
}
