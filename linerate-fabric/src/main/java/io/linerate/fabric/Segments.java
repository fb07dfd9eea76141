package io.linerate.fabric;

import org.jspecify.annotations.Nullable;

/**
 * The memory of a descriptor: ranges of regions, one behind the other, and where an atomic
 * operation finds and leaves values.
 */
final class Segments {
  private final FabricDomain domain;
  private final Work work;
  private final @Nullable Spill spill;
  private final MemoryRegion[] regions = new MemoryRegion[WorkLayout.SEGMENTS_AT_MOST];
  private @Nullable MemoryRegion resultRegion;
  private @Nullable MemoryRegion compareRegion;
  private int count;
  private long capacity;

  Segments(FabricDomain domain, Work work) {
    this.domain = domain;
    this.work = work;
    spill = domain.nativeDomain().spill();
  }

  int count() {
    return count;
  }

  /** Bytes of all of them. */
  long capacity() {
    return capacity;
  }

  /** Where the provider puts what does not fit; null where it sees to that itself. */
  @Nullable Spill spill() {
    return spill;
  }

  void clear() {
    count = 0;
    capacity = 0;
  }

  /** A range in place of what there was. */
  void set(MemoryRegion region, long offset, long bytes) {
    long where = locate(region, offset, bytes, false);
    clear();
    put(region, where, bytes);
  }

  /** A range behind the others. */
  void add(MemoryRegion region, long offset, long bytes) {
    if (count == domain.provider().segments()) {
      throw new FabricException(
          "too many segments for one message: provider=%s, segments=%d; send fewer"
              .formatted(domain.provider().name(), count));
    }
    put(region, locate(region, offset, bytes, false), bytes);
  }

  private void put(MemoryRegion region, long where, long bytes) {
    work.segment(count, where, bytes, region);
    regions[count++] = region;
    capacity += bytes;
  }

  /** Where the values go that an atomic operation finds. */
  void result(MemoryRegion region, long offset) {
    work.result(locate(region, offset, capacity, true), region);
    resultRegion = region;
  }

  /** What an atomic operation compares with. */
  void compare(MemoryRegion region, long offset) {
    work.compare(locate(region, offset, capacity, false), region);
    compareRegion = region;
  }

  private long locate(MemoryRegion region, long offset, long bytes, boolean isWritten) {
    if (region.domain() != domain) {
      throw new FabricException(
          "a memory region belongs to another domain: length=%d; register the memory with this one"
              .formatted(region.length()));
    }
    return region.locate(offset, bytes, isWritten);
  }

  /**
   * Makes ready what the native call reads.
   *
   * @return how many segments it has, with that of the spill
   */
  int prepare(Operation next, long flags) {
    for (int i = 0; i < count; i++) {
      requireUsable(regions[i], next);
    }
    if (spill == null || !next.isReceive() || !needsSpill(flags)) {
      return count;
    }
    domain.provider().requireMemory(capacity);
    work.spill(count, spill);
    return count + 1;
  }

  private static void requireUsable(MemoryRegion region, Operation next) {
    if (region.isClosed() || (next.writesMemory() && region.segment().isReadOnly())) {
      region.locate(0, 0, next.writesMemory()); // Says why.
    }
  }

  /** Memory for several messages is one segment; how long a claimed one is, is known. */
  private boolean needsSpill(long flags) {
    if ((flags & (FabricFlags.FI_MULTI_RECV | FabricFlags.FI_PEEK)) != 0) {
      return false;
    }
    return domain.address().isManagedByRxm() ? capacity == 0 : (flags & FabricFlags.FI_CLAIM) == 0;
  }

  /** Whether an operation is about memory of a region. */
  boolean names(MemoryRegion region, Operation operation) {
    for (int i = 0; i < count; i++) {
      if (regions[i] == region) {
        return true;
      }
    }
    boolean hasResult = operation == Operation.FETCH || operation == Operation.COMPARE_AND_SWAP;
    return (hasResult && resultRegion == region)
        || (operation == Operation.COMPARE_AND_SWAP && compareRegion == region);
  }
}
