package io.linerate.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A pool, a burst and packets of known bytes; closing checks that every buffer is home. */
final class TestBuffers implements AutoCloseable {
  static final int HEADROOM_BYTES = 64;
  static final int ROOM_BYTES = 256;

  final PacketPools pools = new PacketPools();
  final BufferPool pool;
  final Burst burst;
  final FreeBuffer home;
  private final Arena arena = Arena.ofConfined();
  private final long handles;

  TestBuffers(int capacity) {
    pool = pools.create("test", capacity, HEADROOM_BYTES, ROOM_BYTES);
    burst = new Burst(capacity);
    home = new FreeBuffer(pools, 1);
    handles = arena.allocate(8L * capacity, 8).address();
  }

  /** An array of handles with room for the whole pool. */
  long handles() {
    return handles;
  }

  /** {@code count} bytes 1, 2, 3 and so on. */
  static byte[] counting(int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (i + 1);
    }
    return bytes;
  }

  /** Appends a packet to the burst, its bytes in segments of these lengths. */
  Packet append(byte[] bytes, int... segmentBytes) {
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
    burst.append(first);
    return burst.packet(burst.size() - 1);
  }

  @Override
  public void close() {
    burst.finish(home);
    home.flush();
    assertThat(pool.available()).isEqualTo(pool.capacity());
    assertThat(pools.close()).isEmpty();
    arena.close();
  }
}
