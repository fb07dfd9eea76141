package io.linerate.core.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.TestBuffers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BufferPoolTest {
  private final PacketPools pools = new PacketPools();

  @ParameterizedTest
  @CsvSource({
    "0, 128, 2048",
    "-1, 128, 2048",
    "1, -1, 2048",
    "1, 0, -1",
    "1, 0, 65536",
    "1, 65535, 1",
    "1, 2147483647, 1",
    "1, 1, 2147483647",
    "1, 2147483647, 2147483647"
  })
  void shouldRefuseBadSizes(int capacity, int headroomBytes, int roomBytes) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pools.create("bad", capacity, headroomBytes, roomBytes))
        .withMessageContaining("pool has bad sizes: name=bad");
    assertThat(pools.close()).isEmpty();
  }

  @Test
  void shouldRefuseMoreThanTheMachineHas() throws IOException {
    String policy = Files.readString(Path.of("/proc/sys/vm/overcommit_memory")).strip();
    assumeThat(policy).as("the kernel promises any memory").isNotEqualTo("1");
    assertThatThrownBy(() -> pools.create("huge", Integer.MAX_VALUE >> 7, 0, 65_535))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("no memory for packets: bytes=", "mmap=", "(errno 12)", "fewer");
    assertThat(pools.close()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 5_000})
  void shouldBeginAtAPageOfZeroes(int capacity) {
    BufferPool pool = pools.create("zeroes", capacity, 128, 2_048);
    assertThat(pool.address() % 4_096).isZero();
    MemorySegment all =
        NativeMemory.ALL.asSlice(pool.address(), (long) pool.strideBytes() * pool.capacity());
    assertThat(all.mismatch(MemorySegment.ofArray(new byte[(int) all.byteSize()]))).isEqualTo(-1);
    assertThat(pools.close()).isEmpty();
  }

  @Test
  void shouldGiveAllOrNothing() {
    try (TestBuffers buffers = new TestBuffers(4)) {
      assertThat(buffers.pool.allocate(buffers.owned.array(), 3)).isTrue();
      assertThat(buffers.pool.available()).isEqualTo(1);
      assertThat(buffers.pool.allocate(buffers.handles(), 2)).isFalse();
      assertThat(buffers.pool.available()).isEqualTo(1);
      assertThat(buffers.burst.size()).isEqualTo(3);
    }
  }

  @Test
  void shouldCountWhatIsAwayOfEachRegion() {
    BufferPool pool = pools.createHeaders("regions", 8, 3);
    OwnedBurst burst = new OwnedBurst(new MbufArray(8));
    assertThat(pool.allocate(burst.array().reserve(5), 5, 2)).isTrue();
    burst.array().extend(5, null);
    assertThat(pool.allocate(burst.array().reserve(3), 3, 1)).isTrue();
    burst.array().extend(3, null);
    assertThat(pool.allocate(burst.array().address(), 1, 0)).isFalse();
    assertThat(List.of(pool.away(0), pool.away(1), pool.away(2))).containsExactly(0, 3, 5);

    pools.free(Handles.address(burst.array().address(), 4), 2); // One of each.
    assertThat(List.of(pool.away(0), pool.away(1), pool.away(2))).containsExactly(0, 2, 4);

    Mbuf.next(burst.handle(0), burst.handle(6)); // A chain is freed with all its segments.
    pools.free(burst.array().address(), 1);
    assertThat(List.of(pool.away(0), pool.away(1), pool.away(2))).containsExactly(0, 1, 3);
    pools.free(Handles.address(burst.array().address(), 1), 3);
    pools.free(Handles.address(burst.array().address(), 7), 1);
    assertThat(List.of(pool.away(0), pool.away(1), pool.away(2))).containsExactly(0, 0, 0);
    assertThat(pools.close()).isEmpty();
  }

  @Test
  void shouldStandWhereADeviceWantsIt() {
    int roomBytes = 2_048 - Mbuf.HEADER_BYTES - 256;
    BufferPool pool = pools.create("device", 3, 256, roomBytes);
    assertThat(pool.address() % 4_096).isZero();
    assertThat(pool.strideBytes()).isEqualTo(2_048);
    OwnedBurst burst = new OwnedBurst(new MbufArray(3));
    assertThat(pool.allocate(burst.array(), 3)).isTrue();
    assertThat(burst.handle(0)).isEqualTo(pool.address());
    assertThat(burst.handle(2)).isEqualTo(pool.address() + 2 * 2_048);
    burst.finish(new FreeBuffer(pools, 1));
    assertThat(pools.close()).isEmpty();
  }

  @Test
  void shouldGiveNothingOfFreedMemory() {
    BufferPool pool = pools.create("gone", 4, 128, 2_048);
    assertThat(pools.close()).isEmpty();
    assertThatIllegalStateException()
        .isThrownBy(() -> pool.allocate(new MbufArray(4), 1))
        .withMessageContaining("pool is closed: pool=gone");
    assertThat(pool.closeIfWhole()).isTrue();
    BufferPool other = new PacketPools().create("next", 4, 128, 2_048);
    assertThat(pool.closeIfWhole()).isTrue();
    assertThat(other.allocate(new MbufArray(4), 4)).as("its memory is still there").isTrue();
  }

  @Test
  void shouldNotCloseWhileOthersAllocate() throws InterruptedException {
    for (int i = 0; i < 200; i++) {
      BufferPool pool = new PacketPools().create("closing", 64, 128, 512);
      Thread user = Thread.ofPlatform().start(() -> allocateUntilClosed(pool));
      while (!pool.closeIfWhole()) {
        Thread.onSpinWait();
      }
      user.join();
      assertThat(pool.available()).isEqualTo(64);
    }
  }

  private static void allocateUntilClosed(BufferPool pool) {
    try (Arena arena = Arena.ofConfined()) {
      long handles = arena.allocate(8 * 8, 8).address();
      while (true) {
        pool.allocate(handles, 8);
        pool.free(handles, 8);
      }
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("pool is closed");
    }
  }

  @Test
  void shouldGiveBuffersThatDoNotOverlap() {
    try (TestBuffers buffers = new TestBuffers(16)) {
      buffers.pool.allocate(buffers.owned.array(), 16);
      Set<Long> seen = new HashSet<>();
      for (Packet packet : buffers.burst) {
        packet.growHead(packet.headroomBytes());
        packet.growTail(packet.tailroomBytes());
        for (int i = 0; i < packet.length(); i++) {
          packet.u8(i, packet.index());
        }
        assertThat(seen.add(buffers.owned.handle(packet.index()))).isTrue();
      }
      for (Packet packet : buffers.burst) {
        assertThat(packet.length()).isEqualTo(TestBuffers.HEADROOM_BYTES + TestBuffers.ROOM_BYTES);
        for (int i = 0; i < packet.length(); i++) {
          assertThat(packet.u8(i)).isEqualTo(packet.index());
        }
      }
    }
  }

  @Test
  void shouldGiveEmptyPacketsWhateverTheLastOwnerDid() {
    try (TestBuffers buffers = new TestBuffers(3)) {
      Packet packet = buffers.append(TestBuffers.counting(30), 10, 10, 10);
      packet.shrinkHead(5);
      Mbuf.timestampNs(buffers.owned.handle(0), 42);
      buffers.owned.finish(buffers.freeBuffer);
      buffers.pool.allocate(buffers.owned.array(), 3);
      for (Packet fresh : buffers.burst) {
        assertThat(fresh.length()).isZero();
        assertThat(fresh.segments()).isEqualTo(1);
        assertThat(fresh.headroomBytes()).isEqualTo(TestBuffers.HEADROOM_BYTES);
        assertThat(fresh.tailroomBytes()).isEqualTo(TestBuffers.ROOM_BYTES);
        long mbuf = buffers.owned.handle(fresh.index());
        assertThat(Mbuf.hasTimestamp(mbuf)).isFalse();
        assertThat(Mbuf.next(mbuf)).isZero();
      }
    }
  }

  @Test
  void shouldNoticeABufferThatComesHomeTwice() {
    try (TestBuffers buffers = new TestBuffers(2);
        Arena arena = Arena.ofConfined()) {
      long handles = arena.allocate(16, 8).address();
      buffers.pool.allocate(handles, 1);
      buffers.pool.free(handles, 1);
      assertThatIllegalStateException().isThrownBy(() -> buffers.pool.free(handles, 1));
    }
  }

  @Test
  void shouldLoseNothingBetweenThreads() throws InterruptedException {
    try (TestBuffers buffers = new TestBuffers(64)) {
      List<Thread> threads =
          IntStream.range(0, 4)
              .mapToObj(i -> Thread.ofPlatform().start(() -> allocateAndFree(buffers.pools)))
              .toList();
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(buffers.pool.available()).isEqualTo(64);
    }
  }

  private static void allocateAndFree(PacketPools pools) {
    BufferPool pool = (BufferPool) pools.of(firstHandle(pools));
    OwnedBurst burst = new OwnedBurst(new MbufArray(16));
    FreeBuffer freeBuffer = new FreeBuffer(pools, 7);
    for (int i = 0; i < 20_000; i++) {
      if (pool.allocate(burst.array(), 1 + i % 9)) {
        burst.finish(freeBuffer);
      }
    }
    freeBuffer.flush();
  }

  /** Makes the pool found as a worker finds it: through a packet's header. */
  private static long firstHandle(PacketPools pools) {
    try (Arena arena = Arena.ofConfined()) {
      long mbuf = arena.allocate(Mbuf.HEADER_BYTES, 8).address();
      Mbuf.pool(mbuf, 1);
      PacketPool pool = pools.of(mbuf);
      OwnedBurst one = new OwnedBurst(new MbufArray(1));
      while (!pool.allocate(one.array(), 1)) {
        Thread.onSpinWait();
      }
      long handle = one.handle(0);
      one.finish(new FreeBuffer(pools, 1));
      return handle;
    }
  }
}
