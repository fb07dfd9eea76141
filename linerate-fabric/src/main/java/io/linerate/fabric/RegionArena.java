package io.linerate.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that may be registered, of one domain: {@link FabricDomain#arena} makes it. Any thread may
 * use the memory. Closing it ends the registrations first, and fails while a descriptor that names
 * them is posted: neither the provider nor a peer can ever reach memory that is gone.
 */
public final class RegionArena implements Arena {
  private final FabricDomain domain;
  private final Arena memory = Arena.ofShared();

  RegionArena(FabricDomain domain) {
    this.domain = domain;
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    return memory.allocate(byteSize, byteAlignment);
  }

  @Override
  public MemorySegment.Scope scope() {
    return memory.scope();
  }

  /**
   * Frees the memory.
   *
   * @throws FabricException if a posted descriptor names it; nothing was freed then
   */
  @Override
  public void close() {
    domain.check();
    domain.closeRegions(memory.scope());
    domain.forget(this);
    end();
  }

  /** With its domain. */
  void end() {
    memory.close();
  }
}
