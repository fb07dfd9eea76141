package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Registered memory: what may be registered, and when it ends. */
class RegionsTest {
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldRefuseMemoryThatOthersCouldFree(String provider) {
    try (Side side = side(provider);
        Side other = side(provider);
        Arena confined = Arena.ofConfined();
        Arena shared = Arena.ofShared()) {
      FabricDomain domain = side.domain;
      for (MemorySegment memory :
          new MemorySegment[] {
            confined.allocate(64),
            shared.allocate(64),
            Arena.ofAuto().allocate(64),
            other.arena.allocate(64),
          }) {
        assertThatThrownBy(() -> domain.register(memory))
            .isInstanceOf(FabricException.class)
            .hasMessageContaining("could be freed while it is registered: length=64");
      }
      assertThatThrownBy(() -> domain.register(MemorySegment.ofArray(new byte[64])))
          .hasMessageContaining("length=64, native=false");
      assertThatThrownBy(() -> domain.register(side.arena.allocate(0)))
          .hasMessageContaining("length=0, native=true");
      assertThatThrownBy(() -> domain.register(MemorySegment.ofAddress(0x1234)))
          .hasMessageContaining("length=0");
      RegionArena closed = domain.arena();
      MemorySegment gone = closed.allocate(64);
      closed.close();
      closed.close();
      assertThatThrownBy(() -> domain.register(gone)).hasMessageContaining("could be freed");
      assertThatThrownBy(() -> closed.allocate(64))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("an arena is closed");
      domain.register(Arena.global().allocate(64)).close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldRefuseToWriteReadOnlyMemory(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      FabricDomain domain = link.left.domain;
      MemorySegment memory = link.left.arena.allocate(64);
      MemoryRegion readable = domain.register(memory.asReadOnly(), Access.REMOTE_READ);
      assertThatThrownBy(() -> domain.register(memory.asReadOnly(), Access.REMOTE_WRITE))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("peers cannot write memory that is read-only");
      Descriptor descriptor = domain.descriptor().on(readable);
      assertThatThrownBy(() -> link.leftEndpoint.receive(descriptor))
          .hasMessageContaining("a memory region cannot be written");
      RemoteRegion remote = link.right.region(64, Access.values()).publish();
      assertThatThrownBy(() -> link.toRight().read(descriptor, remote, 0))
          .hasMessageContaining("a memory region cannot be written");
      link.post(() -> link.toRight().write(descriptor, remote, 0));
      link.left.await(descriptor, link.right);
      assertThat(descriptor.error()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldRefuseWhatIsOutsideARegionOrOfAnother(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion region = link.left.region(64);
      Descriptor descriptor = link.left.domain.descriptor().on(region, 3, 5);
      long[][] wrong = {
        {-1, 1},
        {0, -1},
        {0, 65},
        {64, 1},
        {1, 64},
        {Long.MAX_VALUE, 1},
        {1, Long.MAX_VALUE},
        {Long.MAX_VALUE, Long.MAX_VALUE},
        {Long.MIN_VALUE, 0},
        {0, Long.MIN_VALUE},
      };
      for (long[] range : wrong) {
        assertThatThrownBy(() -> descriptor.on(region, range[0], range[1]))
            .isInstanceOf(FabricException.class)
            .hasMessageContaining("offset=%d, length=%d, region=64", range[0], range[1]);
        assertThatThrownBy(() -> descriptor.and(region, range[0], range[1]))
            .hasMessageContaining("a segment beyond its memory region");
      }
      assertThatThrownBy(() -> descriptor.on(link.right.region(64)))
          .hasMessageContaining("a memory region belongs to another domain");
      assertThat(descriptor.capacity()).as("as it was").isEqualTo(5);
      region.close();
      region.close();
      assertThatThrownBy(() -> descriptor.on(region)).hasMessageContaining("is closed: length=64");
      assertThatThrownBy(region::publish).hasMessageContaining("is closed: length=64");
      assertThatThrownBy(() -> link.toRight().send(descriptor))
          .hasMessageContaining("is closed: length=64");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldEndNothingWhileADescriptorThatNamesItIsPosted(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      RegionArena arena = link.right.domain.arena();
      MemoryRegion unused = link.right.domain.register(arena.allocate(64));
      MemoryRegion used = link.right.domain.register(arena.allocate(64));
      Descriptor receive = link.right.domain.descriptor().on(used);
      assertThat(link.rightEndpoint.receive(receive)).isTrue();
      assertThatThrownBy(arena::close)
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("a memory region is in use: length=64, operation=RECEIVE");
      assertThat(unused.isClosed()).as("all or nothing").isFalse();
      link.rightEndpoint.cancel(receive);
      link.right.await(receive, link.left);
      arena.close();
      assertThat(unused.isClosed() && used.isClosed()).isTrue();
      assertThat(used.segment().scope().isAlive()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldLetEverythingBeClosedAfterItsDomain(String provider) {
    Link link = Link.open(provider, DomainOptions.DEFAULT);
    FabricDomain domain = link.left.domain;
    MemoryRegion region = link.left.region(64, Access.values());
    Descriptor idle = domain.descriptor().on(region);
    Descriptor posted = domain.descriptor().on(region);
    assertThat(link.leftEndpoint.receive(posted)).isTrue();
    FabricCounter counter = domain.counter();
    RegionArena arena = domain.arena();
    link.close();
    idle.close();
    posted.close();
    region.close();
    counter.close();
    arena.close();
    link.left.arena.close();
    link.left.queue.close();
    link.leftEndpoint.close();
    domain.close();
    for (org.assertj.core.api.ThrowableAssert.ThrowingCallable use :
        new org.assertj.core.api.ThrowableAssert.ThrowingCallable[] {
          domain::arena,
          domain::descriptor,
          domain::counter,
          () -> domain.completions(1),
          () -> domain.handOver(Thread.currentThread()),
          region::publish,
          () -> idle.on(region),
          () -> idle.immediate(1),
          counter::value,
          () -> link.toRight().send(idle),
          () -> link.leftEndpoint.receive(idle),
          () -> link.leftEndpoint.cancel(posted),
          () -> link.left.queue.poll(link.left.completions),
          () -> link.left.queue.pause(0, 1),
          () -> link.left.queue.await(idle, Side.SOON),
        }) {
      assertThatThrownBy(use)
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("a fabric domain is closed: address=");
    }
    assertThat(region.segment().scope().isAlive()).isFalse();
  }

  /**
   * A provider goes on with a write that it has begun (tcp), into whatever is there: the memory
   * must not be given to others before the connection has ended.
   */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldKeepMemoryThatAPeerIsWritingUntilTheEndpointIsClosed(String provider) {
    int bytes = 64 << 20;
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      RegionArena arena = link.right.domain.arena();
      MemoryRegion target =
          link.right.domain.register(arena.allocate(bytes, 64), Access.REMOTE_WRITE);
      MemoryRegion from = link.left.region(bytes);
      from.segment().fill((byte) 0x5A);
      Descriptor write = link.left.domain.descriptor().on(from);
      RemoteRegion remote = target.publish();
      link.post(() -> link.toRight().write(write, remote, 0));
      Link.until(() -> {
        link.progress();
        return target.segment().get(ValueLayout.JAVA_BYTE, 1 << 16) != 0;
      });
      arena.close();
      if (provider.equals("tcp")) { // The others may have written all of it by now.
        assertThat(write.isPosted()).as("it is being written").isTrue();
      }
      RegionArena next = link.right.domain.arena();
      MemorySegment others = next.allocate(bytes, 64);
      for (int i = 0; i < 20_000 && write.isPosted(); i++) {
        link.progress();
      }
      for (int i = 0; i < bytes; i += 4096) {
        if (others.get(ValueLayout.JAVA_BYTE, i) != 0) {
          assertThat(i).as("first page that was written, of other memory").isEqualTo(bytes);
        }
      }
      assertThatThrownBy(() -> link.right.domain.register(target.segment()))
          .hasMessageContaining("could be freed");
      link.rightEndpoint.close();
      link.leftEndpoint.close();
      if (!provider.equals("shm")) { // That keeps its endpoints as long as the other side is there.
        assertThat(target.segment().scope().isAlive()).isFalse();
      }
    }
  }

  @Test
  void shouldNotTellTheKeyOfARegion() {
    assertThat(new RemoteRegion(4096, 0x1234_5678_9ABCL, 64, Set.of()).toString())
        .contains("length=64")
        .doesNotContain(String.valueOf(0x1234_5678_9ABCL), "4096");
  }

  @Test
  void shouldGiveMemoryOfEachSizeThatIsZeroAlignedAndNobodyElses() {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    try (Side side = new Side(FabricAddresses.free("tcp"), DomainOptions.DEFAULT)) {
      List<MemorySegment> all = new ArrayList<>();
      for (long bytes : new long[] {1, 16_383, 16_384, 100_001, 1_999_999, 2_097_151, 5_000_001}) {
        for (long alignment : new long[] {1, 64, 4096}) {
          MemorySegment memory = side.arena.allocate(bytes, alignment);
          assertThat(memory.byteSize()).isEqualTo(bytes);
          assertThat(memory.address() % alignment).isZero();
          assertThat(memory.mismatch(MemorySegment.ofArray(new byte[(int) bytes]))).isEqualTo(-1);
          assertThat(all).noneMatch(other -> other.asOverlappingSlice(memory).isPresent());
          memory.fill((byte) 1);
          all.add(memory);
        }
      }
      for (long wrong : new long[] {0, -1, 3, Long.MIN_VALUE}) {
        assertThatThrownBy(() -> side.arena.allocate(65_536, wrong))
            .isInstanceOf(IllegalArgumentException.class);
      }
      assertThatThrownBy(() -> side.arena.allocate(Long.MAX_VALUE, 1))
          .isInstanceOfAny(OutOfMemoryError.class, IllegalArgumentException.class);
    }
  }

  @Test
  void shouldFreeMemoryThatNoPeerWasGivenAtOnce() {
    try (Link link = Link.open("tcp", DomainOptions.DEFAULT)) {
      RegionArena arena = link.right.domain.arena();
      MemoryRegion region = link.right.domain.register(arena.allocate(64));
      arena.close();
      assertThat(region.segment().scope().isAlive()).isFalse();
    }
  }

  private static Side side(String provider) {
    org.junit.jupiter.api.Assumptions.assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    return new Side(FabricAddresses.free(provider), DomainOptions.DEFAULT);
  }
}
