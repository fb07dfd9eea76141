package io.linerate.core.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.linerate.core.memory.OwnedBurst;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacketPoolsTest {
  private final PacketPools pools = new PacketPools();

  @Test
  void shouldSendEveryPacketToItsOwnPool() {
    BufferPool a = pools.create("a", 4, 0, 64);
    BufferPool b = pools.create("b", 4, 0, 64);
    OwnedBurst burst = new OwnedBurst(new MbufArray(8));
    a.allocate(burst.array(), 1);
    b.allocate(burst.array(), 2);
    a.allocate(burst.array(), 3);
    b.allocate(burst.array(), 2);
    FreeBuffer freeBuffer = new FreeBuffer(pools, 3);
    burst.finish(freeBuffer);
    freeBuffer.flush();
    assertThat(a.available()).isEqualTo(4);
    assertThat(b.available()).isEqualTo(4);
    assertThat(pools.close()).isEmpty();
  }

  @Test
  void shouldHandForeignPacketsToTheForeignPool() {
    BufferPool own = pools.create("own", 2, 0, 64);
    RecordingPool foreign = new RecordingPool();
    pools.foreign(foreign);
    try (Arena arena = Arena.ofConfined()) {
      long stranger = arena.allocate(Mbuf.HEADER_BYTES, 64).address();
      Mbuf.reset(stranger, 0);
      Mbuf.pool(stranger, 0x7F00_0000_1000L);
      OwnedBurst burst = new OwnedBurst(new MbufArray(3));
      own.allocate(burst.array(), 1);
      burst.array().append(stranger);
      own.allocate(burst.array(), 1);
      burst.finish(new FreeBuffer(pools, 1));
      assertThat(foreign.freed).containsExactly(stranger);
    }
    assertThat(own.available()).isEqualTo(2);
    assertThatIllegalStateException().isThrownBy(() -> pools.foreign(foreign));
    assertThat(pools.close()).isEmpty();
  }

  @Test
  void shouldRefuseAPacketOfNoPool() {
    try (Arena arena = Arena.ofConfined()) {
      long stranger = arena.allocate(Mbuf.HEADER_BYTES, 64).address();
      Mbuf.pool(stranger, 0x1234);
      assertThatIllegalStateException()
          .isThrownBy(() -> pools.of(stranger))
          .withMessage("packet of an unknown pool: pool=0x1234");
    }
  }

  @Test
  void shouldNameThePoolsThatMissBuffersWhenClosed() {
    BufferPool complete = pools.create("complete", 2, 0, 64);
    BufferPool incomplete = pools.create("incomplete", 2, 0, 64);
    OwnedBurst burst = new OwnedBurst(new MbufArray(2));
    incomplete.allocate(burst.array(), 1);
    assertThat(pools.close()).containsExactly(incomplete);
    assertThat(complete.available()).isEqualTo(2);
    // Whoever still holds the packet does not read freed memory.
    assertThat(burst.packet(0).length()).isZero();
    incomplete.free(burst.array().address(), 1);
    assertThat(incomplete.closeIfWhole()).isTrue();
  }

  /** Stands for DPDK's memory pools: notes what is freed. */
  private static final class RecordingPool implements PacketPool {
    final List<Long> freed = new ArrayList<>();

    @Override
    public String name() {
      return "foreign";
    }

    @Override
    public int capacity() {
      return 0;
    }

    @Override
    public int available() {
      return 0;
    }

    @Override
    public int headroomBytes() {
      return 0;
    }

    @Override
    public int roomBytes() {
      return 0;
    }

    @Override
    public boolean allocate(MbufArray packets, int count) {
      return false;
    }

    @Override
    public void free(long handles, int count) {
      for (int i = 0; i < count; i++) {
        freed.add(Handles.get(handles, i));
      }
    }
  }
}
