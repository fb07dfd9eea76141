package io.linerate.driver.ring;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.PacketView;
import io.linerate.core.time.EpochClock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Copies packets into buffers of a pool of its own. For one thread at a time. */
final class PacketCopies {
  private static final int HEADROOM_BYTES = 128;
  private static final int ROOM_BYTES = 2_048;

  private final BufferPool pool;
  private final MbufArray segments = new MbufArray(256);
  private final PacketView view = new PacketView(EpochClock.SYSTEM);
  private final MemorySegment bytes = Arena.ofAuto().allocate(ROOM_BYTES);

  PacketCopies(PacketPools pools, String name, int capacity) {
    pool = pools.create(name, capacity, HEADROOM_BYTES, ROOM_BYTES);
  }

  /** A copy with the same bytes and time, or 0 when there are not enough buffers for it. */
  long copy(Packet packet, long original) {
    int length = packet.length();
    int count = Math.max(1, Math.ceilDiv(length, ROOM_BYTES));
    if (count > segments.capacity() || !pool.allocate(segments, count)) {
      return 0;
    }
    try {
      for (int i = 0; i < count; i++) {
        copyPart(packet, i * ROOM_BYTES, segments.handle(i));
      }
    } catch (Throwable e) { // The file that the packet is in became shorter.
      pool.free(segments.address(), count);
      segments.clear();
      throw e;
    }
    for (int i = 0; i + 1 < count; i++) {
      Mbuf.next(segments.handle(i), segments.handle(i + 1));
    }
    long copy = segments.handle(0);
    segments.clear();
    Mbuf.packetLength(copy, length);
    Mbuf.segments(copy, count);
    if (Mbuf.hasTimestamp(original)) {
      Mbuf.timestampNs(copy, Mbuf.timestampNs(original));
    }
    return copy;
  }

  private void copyPart(Packet packet, int offset, long segment) {
    int part = Math.min(packet.length() - offset, ROOM_BYTES);
    packet.get(offset, bytes, 0, part);
    Packet target = view.of(segment);
    target.growTail(part);
    target.set(0, bytes, 0, part);
    view.end();
  }
}
