package io.linerate.testkit.graph;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketChains;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import java.util.ArrayList;
import java.util.List;

/** Bytes that have come out of an element, as packets that views can read until it is closed. */
final class SeenPackets implements AutoCloseable {
  private static final int BUFFERS = 256;
  private static final int HEADROOM_BYTES = 128;
  private static final int ROOM_BYTES = 2_048;

  private final PacketPools pools = new PacketPools();
  private final BufferPool pool = pools.create("seen", BUFFERS, HEADROOM_BYTES, ROOM_BYTES);
  private final PacketChains chains = new PacketChains(() -> pool);
  private final FreeBuffer freeBuffer = new FreeBuffer(pools, 1);

  /** One for each packet: a burst has one cursor for all of its packets. */
  private final List<OwnedBurst> bursts = new ArrayList<>();

  Packet of(byte[] bytes) {
    long mbuf = chains.make(bytes.length);
    if (mbuf == 0) {
      throw new IllegalStateException(
          "too many packets are looked at: buffers="
              + BUFFERS
              + "; compare bytes of out() instead");
    }
    OwnedBurst one = new OwnedBurst(new MbufArray(1));
    one.array().append(mbuf);
    bursts.add(one);
    Packet packet = one.burst().packet(0);
    packet.set(0, bytes, 0, bytes.length);
    return packet;
  }

  @Override
  public void close() {
    bursts.forEach(burst -> burst.finish(freeBuffer));
    pools.close();
  }
}
