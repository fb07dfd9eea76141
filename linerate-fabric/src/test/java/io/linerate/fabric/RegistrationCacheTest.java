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
import org.junit.jupiter.api.Test;

/** Memory that stays registered, within bounds. */
class RegistrationCacheTest {
  @Test
  void shouldRegisterMemoryOnceThatComesAgain() {
    try (Link link = Link.open("tcp", DomainOptions.DEFAULT);
        RegistrationCache cache = link.left.domain.registrationCache(4, 1 << 20)) {
      MemorySegment memory = link.left.arena.allocate(1_000);
      CachedRegion first = take(cache, memory);
      CachedRegion part = take(cache, memory.asSlice(100, 200));
      assertThat(part).isSameAs(first);
      assertThat(part.offset(memory.asSlice(100, 200))).isEqualTo(100);
      part.release();
      assertThat(take(cache, memory.asReadOnly())).isSameAs(first);
      first.release();
      first.release();
      assertThat(cache.statistics()).isEqualTo(new RegistrationStatistics(2, 1, 0, 1, 1_000));
      assertThatThrownBy(first::release).hasMessageContaining("more often than it was taken");
    }
  }

  @Test
  void shouldEndWhatWasUsedLongestAgo() {
    try (Link link = Link.open("tcp", DomainOptions.DEFAULT);
        RegistrationCache cache = link.left.domain.registrationCache(3, 1_000)) {
      MemorySegment[] memory = memory(link.left.arena, 5, 100);
      CachedRegion a = released(cache, memory[0]);
      CachedRegion b = released(cache, memory[1]);
      CachedRegion c = released(cache, memory[2]);
      released(cache, memory[0]);
      released(cache, memory[3]); // In place of b.
      assertThat(List.of(a, b, c))
          .map(each -> each.region().isClosed())
          .containsExactly(false, true, false);
      MemorySegment large = link.left.arena.allocate(950);
      released(cache, large); // In place of all.
      assertThat(cache.statistics()).isEqualTo(new RegistrationStatistics(1, 5, 4, 1, 950));
      assertThatThrownBy(() -> cache.take(link.left.arena.allocate(1_001)))
          .hasMessageContaining("length=1001, limit=1000");
    }
  }

  @Test
  void shouldNeverEndWhatIsTakenOrPosted() {
    try (Link link = Link.open("tcp", DomainOptions.DEFAULT)) {
      RegistrationCache cache = link.right.domain.registrationCache(2, 1_000);
      MemorySegment[] memory = memory(link.right.arena, 4, 100);
      CachedRegion taken = take(cache, memory[0]);
      CachedRegion posted = take(cache, memory[1]);
      Descriptor receive = link.right.domain.descriptor().on(posted.region());
      assertThat(link.rightEndpoint.receive(receive)).isTrue();
      posted.release(); // Too early: the descriptor keeps it.
      assertThat(cache.take(memory[2])).isNull();
      assertThatThrownBy(cache::close).hasMessageContaining("is in use: length=100");
      taken.release();
      CachedRegion third = take(cache, memory[2]);
      assertThat(taken.region().isClosed()).isTrue();
      assertThat(posted.region().isClosed()).isFalse();
      third.release();
      link.rightEndpoint.close();
      cache.close();
      assertThat(posted.region().isClosed()).isTrue();
      assertThat(cache.statistics().regions()).isZero();
    }
  }

  @Test
  void shouldForgetMemoryOfAnArenaThatIsClosed() {
    try (Link link = Link.open("tcp", DomainOptions.DEFAULT);
        RegistrationCache cache = link.left.domain.registrationCache(8, 1 << 20)) {
      RegionArena arena = link.left.domain.arena();
      MemorySegment gone = arena.allocate(100);
      CachedRegion taken = take(cache, gone);
      released(cache, link.left.arena.allocate(50));
      arena.close();
      assertThat(cache.statistics()).isEqualTo(new RegistrationStatistics(0, 2, 1, 1, 50));
      assertThatThrownBy(() -> link.left.domain.descriptor().on(taken.region()))
          .hasMessageContaining("a memory region is closed");
      taken.release();
      assertThatThrownBy(() -> cache.take(gone)).hasMessageContaining("could be freed");
      // Whatever lies there now: what belongs to the old arena does not reach it.
      RegionArena next = link.left.domain.arena();
      for (int i = 0; i < 64; i++) {
        released(cache, next.allocate(100));
      }
      assertThatThrownBy(() -> cache.take(gone)).hasMessageContaining("could be freed");
    }
  }

  @Test
  void shouldRefuseWhatCannotBeRegistered() {
    try (Link link = Link.open("tcp", DomainOptions.DEFAULT);
        Arena arena = Arena.ofConfined();
        RegistrationCache cache = link.left.domain.registrationCache(8, 1 << 20)) {
      for (MemorySegment memory :
          List.of(
              arena.allocate(8),
              MemorySegment.ofArray(new long[1]),
              link.right.arena.allocate(8),
              link.left.arena.allocate(0))) {
        assertThatThrownBy(() -> cache.take(memory)).isInstanceOf(FabricException.class);
        assertThat(link.left.domain.canRegister(memory)).isFalse();
      }
      MemorySegment memory = link.left.arena.allocate(8);
      CachedRegion readable = take(cache, memory.asReadOnly());
      assertThat(take(cache, memory)).as("may be written").isNotSameAs(readable);
      assertThat(cache.statistics()).isEqualTo(new RegistrationStatistics(0, 6, 0, 2, 16));
      link.left.close();
      assertThatThrownBy(() -> cache.take(memory)).hasMessageContaining("domain is closed");
    }
  }

  @Test
  void shouldMakeNoObjectsForWhatIsThere() {
    try (Link link = Link.open("tcp", DomainOptions.DEFAULT);
        RegistrationCache cache = link.left.domain.registrationCache(64, 1 << 20)) {
      MemorySegment[] memory = memory(link.left.arena, 64, 100);
      AllocationMeter meter = new AllocationMeter(100_000);
      for (int i = 0; !meter.isDone(); i++) {
        take(cache, memory[i & 63]).release();
        meter.add(1);
      }
      meter.assertQuiet();
    }
  }

  /** Beside a plain list of what must be there. */
  @Test
  @Tag("sampled")
  void shouldKeepItsBoundsWhateverIsTaken() {
    SplittableRandom random = new SplittableRandom(Soak.seed(17));
    try (Link link = Link.open("tcp", DomainOptions.DEFAULT)) {
      int regions = 16;
      int bytes = 4_000;
      RegistrationCache cache = link.left.domain.registrationCache(regions, bytes);
      List<RegionArena> arenas = new ArrayList<>();
      List<MemorySegment> memory = new ArrayList<>();
      List<CachedRegion> taken = new ArrayList<>();
      long found = 0;
      for (int i = 0; i < Soak.times(20_000, 2_000_000); i++) {
        if (arenas.size() < 3) {
          arenas.add(link.left.domain.arena());
          memory.add(arenas.getLast().allocate(2_000));
        }
        int which = random.nextInt(arenas.size());
        switch (random.nextInt(40)) {
          case 0 -> {
            RegionArena closing = arenas.remove(which);
            memory.remove(which);
            closing.close();
            taken.removeIf(each -> each.region().isClosed());
          }
          case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 -> {
            if (!taken.isEmpty()) {
              taken.remove(random.nextInt(taken.size())).release();
            }
          }
          default -> {
            int offset = random.nextInt(2_000);
            int length = 1 + random.nextInt(random.nextBoolean() ? 100 : 2_000);
            MemorySegment asked =
                memory.get(which).asSlice(offset, Math.min(length, 2_000 - offset));
            CachedRegion region = taken.size() < 8 ? cache.take(asked) : null;
            if (region != null) {
              found++;
              taken.add(region);
              assertThat(region.region().isClosed()).isFalse();
              assertThat(region.offset(asked)).isNotNegative();
              assertThat(region.offset(asked) + asked.byteSize())
                  .isLessThanOrEqualTo(region.region().length());
            }
          }
        }
        RegistrationStatistics now = cache.statistics();
        assertThat(now.regions()).isBetween(taken.isEmpty() ? 0 : 1, regions);
        assertThat(now.bytes()).isBetween(0L, (long) bytes);
        assertThat(now.misses() - now.evictions()).isGreaterThanOrEqualTo(now.regions());
        assertThat(taken).noneMatch(each -> each.region().isClosed());
      }
      assertThat(found).isPositive();
      assertThat(cache.statistics().hits()).isPositive();
      taken.forEach(CachedRegion::release);
      cache.close();
      assertThat(cache.statistics().regions()).isZero();
      assertThat(cache.statistics().bytes()).isZero();
    }
  }

  private static MemorySegment[] memory(Arena arena, int count, int bytes) {
    MemorySegment[] memory = new MemorySegment[count];
    for (int i = 0; i < count; i++) {
      memory[i] = arena.allocate(bytes, 64);
    }
    return memory;
  }

  private static CachedRegion take(RegistrationCache cache, MemorySegment memory) {
    return Objects.requireNonNull(cache.take(memory));
  }

  private static CachedRegion released(RegistrationCache cache, MemorySegment memory) {
    CachedRegion region = take(cache, memory);
    region.release();
    return region;
  }
}
