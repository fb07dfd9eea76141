package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One side of a test: a domain with a queue and some registered memory. */
final class Side implements AutoCloseable {
  static final Duration SOON = Duration.ofSeconds(20);

  final FabricDomain domain;
  final CompletionQueue queue;
  final RegionArena arena;
  final Completions completions;
  private @Nullable FabricCounter counter;

  Side(FabricAddress address, DomainOptions options) {
    domain = FabricDomain.open(address, options);
    queue = domain.completionQueue(4096, Waiting.ADAPTIVE);
    arena = domain.arena();
    completions = domain.completions(64);
  }

  /** The same one each time. */
  FabricCounter counter() {
    if (counter == null) {
      counter = domain.counter();
    }
    return counter;
  }

  MemoryRegion region(long bytes, Access... rights) {
    return domain.register(arena.allocate(bytes, 64), rights);
  }

  /** Memory with bytes that follow from a seed. */
  MemoryRegion pattern(long bytes, long seed) {
    MemoryRegion region = region(Math.max(1, bytes));
    fill(region.segment(), bytes, seed);
    return region;
  }

  static void fill(MemorySegment memory, long bytes, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (long i = 0; i < bytes; i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
    }
  }

  static void assertPattern(MemorySegment memory, long bytes, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (long i = 0; i < bytes; i++) {
      if (memory.get(ValueLayout.JAVA_BYTE, i) != (byte) random.nextInt()) {
        assertThat(i).as("first byte that differs, of %d", bytes).isEqualTo(bytes);
      }
    }
  }

  /** Waits for a descriptor while another side's operations go on, too. */
  void await(Descriptor descriptor, Side other) {
    long start = System.nanoTime();
    while (descriptor.isPosted()
        && descriptor.error() == null
        && System.nanoTime() - start < SOON.toNanos()) {
      queue.progress();
      other.queue.progress();
    }
    assertThat(descriptor.isPosted() && descriptor.error() == null)
        .as("posted after %s", SOON)
        .isFalse();
  }

  @Override
  public void close() {
    domain.close();
  }
}
