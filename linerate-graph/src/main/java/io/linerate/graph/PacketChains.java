package io.linerate.graph;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPool;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes packets of given lengths: of one segment where that suffices. */
final class PacketChains {
  private static final int MAX_SEGMENTS = 64;

  private final Supplier<PacketPool> pools;
  private final MbufArray segments = new MbufArray(MAX_SEGMENTS);
  private @Nullable PacketPool pool;

  PacketChains(Supplier<PacketPool> pools) {
    this.pools = pools;
  }

  /**
   * Appends a packet to the array, which has room for it.
   *
   * @return false if no buffer is free
   */
  boolean append(MbufArray packets, int lengthBytes) {
    if (lengthBytes < 0 || lengthBytes > Mbuf.MAX_SEGMENT_BYTES) {
      throw new IllegalArgumentException(
          "packet cannot be made: lengthBytes=" + lengthBytes + "; 0 to 65535 is possible");
    }
    PacketPool from = pool;
    if (from == null) {
      from = pools.get();
      pool = from;
    }
    if (lengthBytes <= from.roomBytes()) {
      if (!from.allocate(packets, 1)) {
        return false;
      }
      length(packets.handle(packets.size() - 1), lengthBytes);
      return true;
    }
    return appendChain(packets, lengthBytes, from);
  }

  private boolean appendChain(MbufArray packets, int lengthBytes, PacketPool from) {
    int roomBytes = from.roomBytes();
    int count = Math.ceilDiv(lengthBytes, roomBytes);
    if (count > MAX_SEGMENTS || !from.allocate(segments, count)) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      long mbuf = segments.handle(i);
      length(mbuf, Math.min(roomBytes, lengthBytes - i * roomBytes));
      Mbuf.next(mbuf, i + 1 < count ? segments.handle(i + 1) : 0);
    }
    long first = segments.handle(0);
    segments.clear();
    Mbuf.packetLength(first, lengthBytes);
    Mbuf.segments(first, count);
    packets.append(first);
    return true;
  }

  private static void length(long mbuf, int bytes) {
    Mbuf.dataLength(mbuf, bytes);
    Mbuf.packetLength(mbuf, bytes);
  }
}
