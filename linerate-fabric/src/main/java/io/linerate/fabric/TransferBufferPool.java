package io.linerate.fabric;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Descriptors for memory that a program has not registered: arrays of the heap, segments of any
 * arena. Long memory that may be registered ({@link FabricDomain#canRegister}) is, and stays so as
 * long as a {@link RegistrationCache} has room; all other memory is copied, through one of so many
 * buffers.
 *
 * <pre>{@code
 * TransferBuffer buffer = pool.outgoing(memory);
 * if (buffer != null && !connection.send(buffer.closeWhenComplete().descriptor())) {
 *   buffer.close(); // The queue is full: later.
 * }
 * }</pre>
 *
 * <p>Nothing here makes an object, but where memory is registered. One thread's, as its domain.
 */
public final class TransferBufferPool implements AutoCloseable {
  private static final int LINE_BYTES = 64;

  private final FabricDomain domain;
  private final TransferBufferOptions options;
  private final RegionArena arena;
  private final RegistrationCache cache;
  private final TransferBuffer[] free;
  private int freeCount;

  TransferBufferPool(FabricDomain domain, TransferBufferOptions options) {
    this.domain = domain;
    this.options = options;
    int count = options.buffers();
    long stride = (options.bounceBytes() + LINE_BYTES - 1L) & -LINE_BYTES;
    cache = domain.registrationCache(options.regions(), options.regionBytes());
    arena = domain.arena();
    MemoryRegion bounce = domain.register(arena.allocate(stride * count, LINE_BYTES));
    free = new TransferBuffer[count];
    for (int i = count - 1; i >= 0; i--) {
      free[freeCount++] = new TransferBuffer(this, domain.descriptor(), bounce, stride * i);
    }
  }

  /** The longest memory that is copied: of that which cannot be registered, the longest. */
  public long limit() {
    return options.bounceBytes();
  }

  /** Transfer buffers that are not lent. */
  public int free() {
    domain.requireOwner();
    return freeCount;
  }

  /** What its cache of registered memory has done. */
  public RegistrationStatistics statistics() {
    return cache.statistics();
  }

  /**
   * A transfer buffer of memory that is to be sent, or written to a peer. Where it was copied, the
   * memory is free at once; otherwise when the operation is complete.
   *
   * @return null if there is none now: poll, and close those that are complete
   * @throws FabricException if the memory can neither be registered nor copied
   */
  public @Nullable TransferBuffer outgoing(MemorySegment memory) {
    return lend(memory, false);
  }

  /**
   * A transfer buffer of memory that is to be received into, or read into from a peer. Where it is
   * copied, the memory has what came when the buffer is closed.
   *
   * @return null if there is none now: poll, and close those that are complete
   * @throws FabricException if the memory can neither be registered nor copied, or is read-only
   */
  public @Nullable TransferBuffer incoming(MemorySegment memory) {
    if (memory.isReadOnly()) {
      throw new FabricException(
          "memory cannot be received into: length=%d, readOnly=true; take other memory"
              .formatted(memory.byteSize()));
    }
    return lend(memory, true);
  }

  private @Nullable TransferBuffer lend(MemorySegment memory, boolean isIncoming) {
    domain.requireOpen();
    if (freeCount == 0) {
      return null;
    }
    CachedRegion region = null;
    if (isRegistered(memory)) {
      region = cache.take(memory);
      if (region == null) {
        return null;
      }
    }
    TransferBuffer lent = free[freeCount - 1];
    if (region != null) {
      lent.lendCached(region, memory);
    } else if (isIncoming) {
      lent.lendIncoming(memory);
    } else {
      lent.lendOutgoing(memory);
    }
    freeCount--;
    return lent;
  }

  /** Whether memory goes without a copy. */
  private boolean isRegistered(MemorySegment memory) {
    long bytes = memory.byteSize();
    boolean isShort = bytes <= options.bounceBytes();
    if (isShort && bytes < options.zeroCopyBytes()) {
      return false;
    }
    boolean canBe = bytes <= options.regionBytes() && domain.canRegister(memory);
    if (!canBe && !isShort) {
      throw new FabricException(
          "memory can neither be registered nor copied: length=%d, native=%s, copied=%d at most, registered=%d at most; take it from an arena of the domain, or ask for larger buffers"
              .formatted(bytes, memory.isNative(), options.bounceBytes(), options.regionBytes()));
    }
    return canBe;
  }

  void giveBack(TransferBuffer buffer) {
    free[freeCount++] = buffer;
  }

  /**
   * Ends it, and the registrations of its cache.
   *
   * @throws FabricException if a transfer buffer is lent; nothing was ended then
   */
  @Override
  public void close() {
    domain.requireOwner();
    if (domain.isClosed() || !arena.scope().isAlive()) {
      return;
    }
    if (freeCount < free.length) {
      throw new FabricException(
          "transfer buffers are lent: buffers=%d; close them first"
              .formatted(free.length - freeCount));
    }
    cache.close();
    for (TransferBuffer each : free) {
      each.end();
    }
    arena.close();
  }
}
