package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Soak;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that nobody has registered, for all operations. */
class TransferBufferPoolTest {
  private static final int AREA = 1 << 16;
  private static final TransferBufferOptions OPTIONS =
      TransferBufferOptions.DEFAULT.bounce(4, 8_192).zeroCopy(2_000).cache(4, 100_000);

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldBringMemoryOfAnyKindBySendAndReceive(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT);
        Arena confined = Arena.ofConfined();
        Arena shared = Arena.ofShared()) {
      TransferBufferPool left = link.left.domain.transferBuffers(OPTIONS);
      TransferBufferPool right = link.right.domain.transferBuffers(OPTIONS);
      for (int bytes : new int[] {1, 100, 1_999, 2_000, 8_192}) {
        List<MemorySegment> from = kinds(bytes, link.left.arena, confined, shared);
        List<MemorySegment> into = kinds(bytes, link.right.arena, confined, shared);
        for (int i = 0; i < from.size(); i++) {
          boolean isLong = i == 0 && bytes >= 2_000;
          Side.fill(from.get(i), bytes, bytes + i);
          TransferBuffer in = right.incoming(into.get(i));
          TransferBuffer out = left.outgoing(from.get(i));
          assertThat(in.isCopied()).as("%d bytes, kind %d", bytes, i).isEqualTo(!isLong);
          assertThat(out.isCopied()).isEqualTo(!isLong);
          assertThat(link.rightEndpoint.receive(in.descriptor())).isTrue();
          assertThatThrownBy(in::close).hasMessageContaining("a descriptor is posted");
          link.post(() -> link.toRight().send(out.closeWhenComplete().descriptor()));
          link.right.await(in.descriptor(), link.left);
          assertThat(in.descriptor().length()).isEqualTo(bytes);
          in.close();
          in.close();
          Side.assertPattern(into.get(i), bytes, bytes + i);
        }
      }
      Link.until(() -> {
        link.progress();
        return left.free() == 4;
      });
      assertThat(left.statistics().regions()).isPositive();
    }
  }

  private static List<MemorySegment> kinds(int bytes, Arena own, Arena confined, Arena shared) {
    return List.of(
        own.allocate(bytes),
        confined.allocate(bytes),
        shared.allocate(bytes),
        Arena.ofAuto().allocate(bytes),
        MemorySegment.ofArray(new byte[bytes]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldWriteAndReadMemoryOfPeers(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      TransferBufferPool pool = link.left.domain.transferBuffers(OPTIONS);
      RemoteRegion remote = link.right.region(8_192, Access.values()).publish();
      for (MemorySegment memory :
          List.of(MemorySegment.ofArray(new byte[5_000]), link.left.arena.allocate(5_000))) {
        Side.fill(memory, 5_000, 3);
        TransferBuffer out = pool.outgoing(memory);
        link.post(() -> link.toRight().write(out.descriptor(), remote, 0));
        link.left.await(out.descriptor(), link.right);
        assertThat(out.descriptor().error()).isNull();
        out.close();
        memory.fill((byte) 0);
        TransferBuffer in = pool.incoming(memory);
        link.post(() -> link.toRight().read(in.descriptor(), remote, 0));
        link.left.await(in.descriptor(), link.right);
        in.close();
        Side.assertPattern(memory, 5_000, 3);
      }
      pool.close();
      pool.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void shouldLendNoMoreThanItHas(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      TransferBufferPool pool = link.left.domain.transferBuffers(OPTIONS);
      List<TransferBuffer> lent = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        lent.add(Objects.requireNonNull(pool.outgoing(MemorySegment.ofArray(new byte[8]))));
      }
      assertThat(pool.outgoing(MemorySegment.ofArray(new byte[8]))).isNull();
      assertThatThrownBy(pool::close).hasMessageContaining("transfer buffers are lent: buffers=4");
      lent.removeLast().close();
      MemorySegment untouched = MemorySegment.ofArray(new byte[] {1, 2, 3});
      try (TransferBuffer notPosted = Objects.requireNonNull(pool.incoming(untouched))) {
        assertThat(notPosted.isCopied()).isTrue();
      }
      assertThat(untouched.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
          .containsExactly(1, 2, 3);
      assertThatThrownBy(() -> pool.incoming(untouched.asReadOnly()))
          .hasMessageContaining("readOnly=true");
      assertThatThrownBy(() -> pool.outgoing(MemorySegment.ofArray(new byte[8_193])))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("length=8193, native=false, copied=8192 at most");
      assertThatThrownBy(() -> pool.outgoing(link.left.arena.allocate(100_001)))
          .hasMessageContaining("length=100001, native=true, copied=8192 at most");
      lent.forEach(TransferBuffer::close);
      assertThat(pool.free()).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldTakeBackWhatAClosedEndpointHasDropped(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      TransferBufferPool pool = link.right.domain.transferBuffers(OPTIONS);
      byte[] array = {7, 7};
      TransferBuffer copied = Objects.requireNonNull(pool.incoming(MemorySegment.ofArray(array)));
      TransferBuffer cached =
          Objects.requireNonNull(pool.incoming(link.right.arena.allocate(4_000)));
      assertThat(link.rightEndpoint.receive(copied.descriptor())).isTrue();
      assertThat(link.rightEndpoint.receive(cached.descriptor())).isTrue();
      link.rightEndpoint.close();
      copied.close();
      cached.close();
      assertThat(array).containsExactly(7, 7);
      pool.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldMakeNoObjects(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      TransferBufferPool left = link.left.domain.transferBuffers(OPTIONS);
      TransferBufferPool right = link.right.domain.transferBuffers(OPTIONS);
      MemorySegment heap = MemorySegment.ofArray(new long[100]);
      MemorySegment[] from = {heap, link.left.arena.allocate(4_000)};
      MemorySegment[] into = {heap, link.right.arena.allocate(4_000)};
      TimeLimit limit = new TimeLimit();
      AllocationMeter meter = new AllocationMeter(20_000);
      for (int i = 0; !meter.isDone(); i++) {
        TransferBuffer in = Objects.requireNonNull(right.incoming(into[i & 1]));
        TransferBuffer out = Objects.requireNonNull(left.outgoing(from[i & 1]));
        while (!link.rightEndpoint.receive(in.descriptor())) {
          limit.check();
          link.progress();
        }
        while (!link.toRight().send(out.descriptor())) {
          limit.check();
          link.progress();
        }
        while (in.descriptor().isPosted() || out.descriptor().isPosted()) {
          limit.check();
          link.progress();
        }
        in.close();
        out.close();
        meter.add(1);
      }
      meter.assertQuiet();
    }
  }

  /** Messages of any size and kind, in order, all bytes as they were. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  @Tag("sampled")
  void shouldBringWhateverItIsGiven(String provider) {
    SplittableRandom random = new SplittableRandom(Soak.seed(provider.hashCode()));
    try (Link link = Link.open(provider, DomainOptions.DEFAULT);
        Arena arena = Arena.ofShared()) {
      MemorySegment leftOwn = link.left.arena.allocate(AREA);
      MemorySegment rightOwn = link.right.arena.allocate(AREA);
      MemorySegment foreign = arena.allocate(AREA);
      TransferBufferPool left = link.left.domain.transferBuffers(OPTIONS);
      TransferBufferPool right = link.right.domain.transferBuffers(OPTIONS);
      for (int i = 0; i < Soak.times(3_000, 300_000); i++) {
        int bytes = 1 + random.nextInt(random.nextInt(4) == 0 ? 8_192 : 300);
        MemorySegment from = any(random, leftOwn, foreign, bytes);
        MemorySegment into = any(random, rightOwn, foreign, bytes);
        Side.fill(from, bytes, i);
        TransferBuffer in = Objects.requireNonNull(right.incoming(into));
        link.post(() -> link.rightEndpoint.receive(in.descriptor()));
        TransferBuffer out = Objects.requireNonNull(left.outgoing(from));
        link.post(() -> link.toRight().send(out.descriptor()));
        link.right.await(in.descriptor(), link.left);
        link.left.await(out.descriptor(), link.right);
        in.close();
        out.close();
        Side.assertPattern(into, bytes, i);
        assertThat(left.statistics().bytes()).isLessThanOrEqualTo(100_000);
        assertThat(left.statistics().regions()).isLessThanOrEqualTo(4);
      }
      assertThat(left.statistics().evictions()).isPositive();
    }
  }

  private static MemorySegment any(
      SplittableRandom random, MemorySegment own, MemorySegment foreign, int bytes) {
    return switch (random.nextInt(4)) {
      case 0 -> MemorySegment.ofArray(new byte[bytes + 3]).asSlice(random.nextInt(4), bytes);
      case 1 -> foreign.asSlice(random.nextInt(AREA - bytes), bytes);
      default -> own.asSlice(random.nextInt(AREA - bytes), bytes);
    };
  }
}
