package io.linerate.bench.fabric;

import io.linerate.fabric.CachedRegion;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricDomain;
import io.linerate.fabric.MemoryRegion;
import io.linerate.fabric.RegistrationCache;
import java.lang.foreign.MemorySegment;

/**
 * A program under measurement: makes memory ready for a message by one variant, again and again.
 * Arguments: variant (cached, registered, copied or copied from the heap), address of a domain,
 * bytes, times in a round.
 */
public final class RegistrationLoop {
  /** Together larger than the caches nearest to the CPU, as memory of messages is. */
  private static final int MEMORY_BYTES = 8 << 20;

  private static final int MOST_BLOCKS = 64;

  private final String variant;
  private final int times;
  private final FabricDomain domain;
  private final MemorySegment[] blocks;
  private final RegistrationCache cache;
  private final MemoryRegion bounce;
  private int next;

  private RegistrationLoop(String variant, FabricAddress address, int bytes, int times) {
    this.variant = variant;
    this.times = times;
    domain = FabricDomain.open(address);
    cache = domain.registrationCache(MOST_BLOCKS, Long.MAX_VALUE);
    bounce = domain.register(domain.arena().allocate(bytes, 64));
    blocks = new MemorySegment[Math.clamp(MEMORY_BYTES / bytes, 1, MOST_BLOCKS)];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] =
          variant.equals("heap")
              ? MemorySegment.ofArray(new byte[bytes])
              : domain.arena().allocate(bytes, 64).fill((byte) i);
    }
  }

  /** The domain is the worker's: it is opened in its first round. */
  public static void main(String[] arguments) {
    FabricAddress address = FabricAddress.parse(arguments[1]);
    int bytes = Integer.parseInt(arguments[2]);
    int times = Integer.parseInt(arguments[3]);
    RegistrationLoop[] loop = new RegistrationLoop[1];
    Runnable round =
        () -> {
          if (loop[0] == null) {
            loop[0] = new RegistrationLoop(arguments[0], address, bytes, times);
          }
          loop[0].round();
        };
    new StoppableLoop(round, times).serve(() -> 0);
  }

  private void round() {
    switch (variant) {
      case "cached" -> {
        for (int i = 0; i < times; i++) {
          take(nextBlock()).release();
        }
      }
      case "registered" -> {
        for (int i = 0; i < times; i++) {
          domain.register(nextBlock()).close();
        }
      }
      default -> {
        for (int i = 0; i < times; i++) {
          bounce.segment().copyFrom(nextBlock());
        }
      }
    }
  }

  private CachedRegion take(MemorySegment memory) {
    CachedRegion region = cache.take(memory);
    if (region == null) {
      throw new IllegalStateException("no room in the cache: bytes=" + memory.byteSize());
    }
    return region;
  }

  private MemorySegment nextBlock() {
    int block = next;
    next = block + 1 == blocks.length ? 0 : block + 1;
    return blocks[block];
  }
}
