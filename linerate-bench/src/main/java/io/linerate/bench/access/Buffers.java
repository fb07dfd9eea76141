package io.linerate.bench.access;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.FreeBuffer;
import io.linerate.core.memory.Mbuf;
import io.linerate.core.memory.PacketPool;
import io.linerate.core.memory.PacketPools;

/** Buffers of Linerate with a struct as their packet, where the library is told to receive. */
final class Buffers implements AutoCloseable {
  private static final int HEADROOM_BYTES = 128;
  private static final int ROOM_BYTES = 2_048;

  private final PacketPools pools = new PacketPools();
  private final FreeBuffer home;
  private final Burst burst;

  /**
   * @param count packets that are received at once
   */
  Buffers(int count) {
    PacketPool pool = pools.create("access", count, HEADROOM_BYTES, ROOM_BYTES);
    home = new FreeBuffer(pools, count);
    burst = new Burst(count);
    if (!pool.allocate(burst, count)) {
      throw new IllegalStateException("pool is too small: count=" + count);
    }
    long[] records = new long[count];
    for (int i = 0; i < count; i++) {
      burst.packet(i).growTail(RecordLayout.BYTES);
      records[i] = Mbuf.dataAddress(burst.handle(i));
    }
    AccessLibrary.use(records);
  }

  Burst burst() {
    return burst;
  }

  @Override
  public void close() {
    burst.dropAll(DropReason.CONSUMED);
    burst.finish(home);
    home.flush();
    pools.close();
  }
}
