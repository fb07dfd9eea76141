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
 * Operand operand = pool.outgoing(memory);
 * if (operand != null && !connection.send(operand.closeWhenComplete().descriptor())) {
 *   operand.close(); // The queue is full: later.
 * }
 * }</pre>
 *
 * <p>Nothing here makes an object, but where memory is registered. One thread's, as its domain.
 */
public final class OperandPool implements AutoCloseable {
  private static final int LINE_BYTES = 64;

  private final FabricDomain domain;
  private final OperandOptions options;
  private final RegionArena arena;
  private final RegistrationCache cache;
  private final Operand[] free;
  private int freeCount;

  public OperandPool(FabricDomain domain, OperandOptions options) {
    this.domain = domain;
    this.options = options;
    int count = options.operands();
    long stride = (options.bounceBytes() + LINE_BYTES - 1L) & -LINE_BYTES;
    cache = new RegistrationCache(domain, options.regions(), options.regionBytes());
    arena = domain.arena();
    MemoryRegion bounce = domain.register(arena.allocate(stride * count, LINE_BYTES));
    free = new Operand[count];
    for (int i = count - 1; i >= 0; i--) {
      free[freeCount++] = new Operand(this, domain.descriptor(), bounce, stride * i);
    }
  }

  /** The longest memory that is copied: of that which cannot be registered, the longest. */
  public long limit() {
    return options.bounceBytes();
  }

  /** Operands that are not lent. */
  public int free() {
    domain.requireOwner();
    return freeCount;
  }

  /** What its cache of registered memory has done. */
  public RegistrationStatistics statistics() {
    return cache.statistics();
  }

  /**
   * An operand of memory that is to be sent, or written to a peer. Where it was copied, the memory
   * is free at once; otherwise when the operation is complete.
   *
   * @return null if there is none now: poll, and close those that are complete
   * @throws FabricException if the memory can neither be registered nor copied
   */
  public @Nullable Operand outgoing(MemorySegment memory) {
    return lend(memory, false);
  }

  /**
   * An operand of memory that is to be received into, or read into from a peer. Where it is copied,
   * the memory has what came when the operand is closed.
   *
   * @return null if there is none now: poll, and close those that are complete
   * @throws FabricException if the memory can neither be registered nor copied, or is read-only
   */
  public @Nullable Operand incoming(MemorySegment memory) {
    if (memory.isReadOnly()) {
      throw new FabricException(
          "memory cannot be received into: length=%d, readOnly=true; take other memory"
              .formatted(memory.byteSize()));
    }
    return lend(memory, true);
  }

  private @Nullable Operand lend(MemorySegment memory, boolean isIncoming) {
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
    Operand lent = free[freeCount - 1];
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
    if (isShort && bytes < options.crossingBytes()) {
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

  void giveBack(Operand operand) {
    free[freeCount++] = operand;
  }

  /**
   * Ends it, and the registrations of its cache.
   *
   * @throws FabricException if an operand is lent; nothing was ended then
   */
  @Override
  public void close() {
    domain.requireOwner();
    if (domain.isClosed() || !arena.scope().isAlive()) {
      return;
    }
    if (freeCount < free.length) {
      throw new FabricException(
          "operands are lent: operands=%d; close them first".formatted(free.length - freeCount));
    }
    cache.close();
    for (Operand each : free) {
      each.end();
    }
    arena.close();
  }
}
