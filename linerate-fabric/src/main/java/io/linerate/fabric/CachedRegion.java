package io.linerate.fabric;

import java.lang.foreign.MemorySegment;

/**
 * Registered memory of a {@link RegistrationCache}, kept until it is released as often as taken.
 */
public final class CachedRegion {
  private final RegistrationCache cache;
  private final MemoryRegion region;
  private final MemorySegment.Scope scope;
  private final long start;
  private final long end;
  private int users;
  private long lastUse;

  CachedRegion(RegistrationCache cache, MemoryRegion region) {
    this.cache = cache;
    this.region = region;
    MemorySegment memory = region.segment();
    scope = memory.scope();
    start = memory.address();
    end = start + memory.byteSize();
  }

  /** The registered memory: of what was asked for, and perhaps of more around it. */
  public MemoryRegion region() {
    return region;
  }

  /** Where a segment begins in it that was asked for. */
  public long offset(MemorySegment memory) {
    return memory.address() - start;
  }

  /** It is not needed any more, by one who has taken it. */
  public void release() {
    cache.release(this);
  }

  long start() {
    return start;
  }

  long end() {
    return end;
  }

  long bytes() {
    return end - start;
  }

  /** Whether it is registered for all that may be done with a segment: of the same arena, too. */
  boolean covers(MemorySegment memory, long address, long bytes) {
    return start <= address
        && bytes <= end - address
        && (memory.isReadOnly() || !region.segment().isReadOnly())
        && scope.equals(memory.scope());
  }

  boolean isTaken() {
    return users > 0;
  }

  void take(long use) {
    users++;
    lastUse = use;
  }

  void giveBack() {
    users--;
  }

  long lastUse() {
    return lastUse;
  }
}
