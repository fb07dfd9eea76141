package io.linerate.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that may be registered, of one domain: {@link FabricDomain#arena} makes it. Any thread may
 * use the memory. Closing it ends the registrations first, and fails while a descriptor that names
 * them is posted: neither the provider nor a peer can ever reach memory that is gone.
 *
 * <p>Memory that peers were given a right to may still be written by what a peer has begun: it is
 * freed when the endpoints are closed that were open when the arena was.
 */
public final class RegionArena implements Arena {
  private final FabricDomain domain;
  private final Arena memory = Arena.ofShared();
  private boolean isPublished;
  private volatile boolean isClosed;

  RegionArena(FabricDomain domain) {
    this.domain = domain;
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    if (isClosed) {
      throw new FabricException(
          "an arena is closed: length=%d; ask the domain for another".formatted(byteSize));
    }
    return memory.allocate(byteSize, byteAlignment);
  }

  @Override
  public MemorySegment.Scope scope() {
    return memory.scope();
  }

  /** Memory of a scope is registered for peers. */
  void publish(MemorySegment.Scope registered) {
    isPublished |= registered.equals(scope());
  }

  boolean isPublished() {
    return isPublished;
  }

  /**
   * Ends the registrations, and frees the memory.
   *
   * @throws FabricException if a posted descriptor names it; nothing was freed then
   */
  @Override
  public void close() {
    domain.requireOwner();
    if (!isClosed && !domain.isClosed()) { // With its domain otherwise.
      domain.registrations().close(this);
      isClosed = true;
    }
  }

  /** After its last use. */
  void free() {
    isClosed = true;
    memory.close();
  }
}
