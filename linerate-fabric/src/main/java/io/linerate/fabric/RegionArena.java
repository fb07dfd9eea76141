package io.linerate.fabric;

import io.linerate.core.config.ConfigException;
import io.linerate.core.driver.ZeroedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that may be registered, of one domain: {@link FabricDomain#arena} makes it. From 16 KiB on
 * it is in huge pages where the kernel has such: a device keeps an entry for each page, and the
 * kernel goes from page to page where one process copies out of another. Any thread may use the
 * memory. Closing it ends the registrations first, and fails while a descriptor that names them is
 * posted: neither the provider nor a peer can ever reach memory that is gone.
 *
 * <p>Memory that peers were given a right to may still be written by what a peer has begun: it is
 * freed when the endpoints are closed that were open when the arena was.
 */
public final class RegionArena implements Arena {
  private static final long HUGE_PAGE_BYTES = 2L << 20;
  private static final long LARGE_BYTES = 16L << 10;
  private static final long PAGE_BYTES = 4096;

  private final FabricDomain domain;
  private final Arena memory = Arena.ofShared();

  /** What smaller allocations are taken from, one after the other. */
  private MemorySegment page = MemorySegment.NULL;

  private long used;
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
    boolean isUsual =
        byteAlignment > 0 && byteAlignment <= PAGE_BYTES && Long.bitCount(byteAlignment) == 1;
    return isUsual && byteSize >= LARGE_BYTES
        ? large(byteSize, byteAlignment)
        : memory.allocate(byteSize, byteAlignment);
  }

  private synchronized MemorySegment large(long byteSize, long byteAlignment) {
    if (byteSize >= HUGE_PAGE_BYTES) {
      return huge(byteSize);
    }
    long at = (used + byteAlignment - 1) & -byteAlignment;
    if (at + byteSize > page.byteSize()) {
      page = huge(HUGE_PAGE_BYTES);
      at = 0;
    }
    used = at + byteSize;
    return page.asSlice(at, byteSize);
  }

  @SuppressWarnings("restricted") // The arena ends it.
  private MemorySegment huge(long byteSize) {
    ZeroedMemory pages;
    try {
      pages = new ZeroedMemory(byteSize, true);
    } catch (ConfigException e) {
      throw new OutOfMemoryError(
          "no memory for an arena: length=%d; take less, or see ulimit -v".formatted(byteSize));
    }
    try {
      return MemorySegment.ofAddress(pages.address())
          .reinterpret(byteSize, memory, _ -> pages.close());
    } catch (IllegalStateException e) { // Another thread has just closed it.
      pages.close();
      throw e;
    }
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
