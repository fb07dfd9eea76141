package io.linerate.fabric;

import io.linerate.fabric.host.Range;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keeps memory registered that a program passes again and again without registering it itself: the
 * regions that were used last, so many and so large together at most. What is taken, or named by a
 * posted descriptor, stays; the rest goes when others need the room, or with its arena.
 *
 * <p>Taking a region that is there makes no object. One thread's, as its domain.
 */
public final class RegistrationCache implements AutoCloseable {
  private final FabricDomain domain;
  private final long mostBytes;

  /** By their first bytes. */
  private final CachedRegion[] regions;

  private int size;
  private long bytes;

  /** No region is longer, or was: how far before an address one may begin that has it. */
  private long longest;

  private long uses;
  private long hits;
  private long misses;
  private long evictions;

  /**
   * @param regions at most, 1 or more
   * @param bytes of all regions together at most, 1 or more
   */
  RegistrationCache(FabricDomain domain, int regions, long bytes) {
    Range.require("regions", regions, 1, 1 << 20);
    Range.require("bytes", bytes, 1, Long.MAX_VALUE);
    this.domain = domain;
    mostBytes = bytes;
    this.regions = new CachedRegion[regions];
  }

  /**
   * Takes the region that has a segment's memory; registers it where there is none.
   *
   * @return null where there is no room for it: release others first
   * @throws FabricException if the memory cannot be registered ({@link FabricDomain#canRegister}),
   *     or is larger than the cache
   */
  public @Nullable CachedRegion take(MemorySegment memory) {
    domain.requireOpen();
    CachedRegion found = find(memory);
    if (found != null) {
      hits++;
    } else {
      misses++;
      found = register(memory);
    }
    if (found != null) {
      found.take(++uses);
    }
    return found;
  }

  private @Nullable CachedRegion find(MemorySegment memory) {
    long address = memory.address();
    long length = memory.byteSize();
    for (int i = firstAfter(address) - 1; i >= 0; i--) {
      CachedRegion each = regions[i];
      if (each.covers(memory, address, length)) {
        return each;
      }
      if (address - each.start() >= longest) {
        return null; // Those before end before it.
      }
    }
    return null;
  }

  /** The place of the first region that begins behind an address. */
  private int firstAfter(long address) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (regions[middle].start() <= address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private @Nullable CachedRegion register(MemorySegment memory) {
    long length = memory.byteSize();
    if (length > mostBytes) {
      throw new FabricException(
          "memory is larger than the cache: length=%d, limit=%d; register it, or make the cache larger"
              .formatted(length, mostBytes));
    }
    if (!domain.canRegister(memory)) {
      domain.register(memory).close(); // Says why not.
    }
    evictWithin(memory.address(), memory.address() + length);
    while (size == regions.length || length > mostBytes - bytes) {
      CachedRegion oldest = oldest();
      if (oldest == null) {
        return null;
      }
      evict(oldest);
    }
    CachedRegion made = new CachedRegion(this, domain.register(memory));
    made.region().whenEnded(() -> forget(made));
    add(made);
    return made;
  }

  /** What the new region makes needless. */
  private void evictWithin(long start, long end) {
    for (int i = size - 1; i >= 0; i--) {
      CachedRegion each = regions[i];
      if (each.start() >= start && each.end() <= end && isIdle(each)) {
        evict(each);
      }
    }
  }

  private boolean isIdle(CachedRegion region) {
    return !region.isTaken() && !domain.descriptors().isPostedOn(region.region());
  }

  private @Nullable CachedRegion oldest() {
    CachedRegion oldest = null;
    for (int i = 0; i < size; i++) {
      CachedRegion each = regions[i];
      if ((oldest == null || each.lastUse() < oldest.lastUse()) && isIdle(each)) {
        oldest = each;
      }
    }
    return oldest;
  }

  private static void evict(CachedRegion region) {
    region.region().close(); // Whose end makes it be forgotten.
  }

  private void add(CachedRegion region) {
    int place = firstAfter(region.start());
    System.arraycopy(regions, place, regions, place + 1, size - place);
    regions[place] = region;
    size++;
    bytes += region.bytes();
    longest = Math.max(longest, region.bytes());
  }

  private void forget(CachedRegion region) {
    int place = Arrays.asList(regions).indexOf(region);
    size--;
    System.arraycopy(regions, place + 1, regions, place, size - place);
    regions[size] = null;
    bytes -= region.bytes();
    evictions++;
  }

  void release(CachedRegion region) {
    domain.requireOwner();
    if (!region.isTaken()) {
      throw new FabricException(
          "a cached region is released more often than it was taken: length=%d; release it once"
              .formatted(region.bytes()));
    }
    region.giveBack();
  }

  /** As of now. */
  public RegistrationStatistics statistics() {
    domain.requireOwner();
    return new RegistrationStatistics(hits, misses, evictions, size, bytes);
  }

  /**
   * Ends all registrations of it.
   *
   * @throws FabricException if one of them is taken, or named by a posted descriptor; nothing was
   *     ended then
   */
  @Override
  public void close() {
    domain.requireOwner();
    for (int i = 0; i < size; i++) {
      if (!isIdle(regions[i])) {
        throw new FabricException(
            "a cached region is in use: length=%d; release it first".formatted(regions[i].bytes()));
      }
    }
    while (size > 0) {
      evict(regions[size - 1]);
    }
  }
}
