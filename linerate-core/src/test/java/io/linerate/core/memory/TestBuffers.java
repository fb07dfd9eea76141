package io.linerate.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.PacketPools;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A pool, a burst and packets of known bytes; closing checks that every buffer is free. */
public final class TestBuffers implements AutoCloseable {
  public static final int HEADROOM_BYTES = 64;
  public static final int ROOM_BYTES = 256;

  public final PacketPools pools = new PacketPools();
  public final BufferPool pool;
  public final OwnedBurst owned;
  public final Burst burst;
  public final FreeBuffer freeBuffer;
  private final Arena arena = Arena.ofConfined();
  private final long handles;

  public TestBuffers(int capacity) {
    pool = pools.create("test", capacity, HEADROOM_BYTES, ROOM_BYTES);
    owned = new OwnedBurst(new MbufArray(capacity));
    burst = owned.burst();
    freeBuffer = new FreeBuffer(pools, 1);
    handles = arena.allocate(8L * capacity, 8).address();
  }

  /** An array of handles with room for the whole pool. */
  public long handles() {
    return handles;
  }

  /** {@code count} bytes 1, 2, 3 and so on. */
  public static byte[] counting(int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (i + 1);
    }
    return bytes;
  }

  /** Appends a packet to the burst, its bytes in segments of these lengths. */
  public Packet append(byte[] bytes, int... segmentBytes) {
    assertThat(pool.allocate(handles, segmentBytes.length)).isTrue();
    long first = Handles.get(handles, 0);
    int done = 0;
    for (int i = 0; i < segmentBytes.length; i++) {
      long mbuf = Handles.get(handles, i);
      if (i > 0) {
        Mbuf.next(Handles.get(handles, i - 1), mbuf);
      }
      MemorySegment.copy(
          MemorySegment.ofArray(bytes),
          done,
          NativeMemory.ALL,
          Mbuf.dataAddress(mbuf),
          segmentBytes[i]);
      Mbuf.dataLength(mbuf, segmentBytes[i]);
      done += segmentBytes[i];
    }
    Mbuf.packetLength(first, done);
    Mbuf.segments(first, segmentBytes.length);
    owned.array().append(first);
    return burst.packet(burst.size() - 1);
  }

  @Override
  public void close() {
    burst.finish(freeBuffer);
    freeBuffer.flush();
    assertThat(pool.available()).isEqualTo(pool.capacity());
    assertThat(pools.close()).isEmpty();
    arena.close();
  }
}
