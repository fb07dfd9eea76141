package io.linerate.fabric;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Memory that need not be registered, for one operation: a descriptor of it, or of a copy. An
 * {@link TransferBufferPool} lends it.
 */
public final class TransferBuffer implements AutoCloseable {
  private final TransferBufferPool pool;
  private final Descriptor descriptor;
  private final MemoryRegion bounce;
  private final long bounceOffset;
  private final Consumer<Descriptor> closing;
  private @Nullable CachedRegion cached;

  /** Where what comes is copied to; null where nothing is. */
  private @Nullable MemorySegment target;

  private boolean isLent;

  TransferBuffer(
      TransferBufferPool pool, Descriptor descriptor, MemoryRegion bounce, long bounceOffset) {
    this.pool = pool;
    this.descriptor = descriptor;
    this.bounce = bounce;
    this.bounceOffset = bounceOffset;
    closing = _ -> close();
  }

  /** What endpoints take: once, until it is closed. */
  public Descriptor descriptor() {
    return descriptor;
  }

  /** Whether the memory was copied, or will be: it is not read or written in the meantime. */
  public boolean isCopied() {
    return cached == null;
  }

  /**
   * Closes it as soon as its operation's completion is polled, which takes the place of {@link
   * Descriptor#whenComplete}.
   */
  public TransferBuffer closeWhenComplete() {
    descriptor.whenComplete(closing);
    return this;
  }

  void lendCached(CachedRegion region, MemorySegment memory) {
    lend();
    cached = region;
    descriptor.on(region.region(), region.offset(memory), memory.byteSize());
  }

  void lendOutgoing(MemorySegment memory) {
    lend();
    MemorySegment.copy(memory, 0, bounce.segment(), bounceOffset, memory.byteSize());
    descriptor.on(bounce, bounceOffset, memory.byteSize());
  }

  void lendIncoming(MemorySegment memory) {
    lend();
    target = memory;
    descriptor.on(bounce, bounceOffset, memory.byteSize());
  }

  private void lend() {
    descriptor.reset();
    isLent = true;
  }

  /**
   * Gives it back. What has come is copied into the memory by this, where it came elsewhere and
   * without an error.
   *
   * @throws FabricException if its descriptor is posted: wait for its completion
   */
  @Override
  public void close() {
    FabricDomain domain = descriptor.domain();
    domain.requireOwner();
    if (!isLent || domain.isClosed()) {
      return;
    }
    descriptor.requireIdle();
    MemorySegment into = target;
    CachedRegion region = cached;
    target = null;
    cached = null;
    isLent = false;
    try {
      if (into != null && descriptor.error() == null) {
        long came = Math.min(descriptor.length(), into.byteSize());
        MemorySegment.copy(bounce.segment(), bounceOffset, into, 0, came);
      }
    } finally {
      if (region != null) {
        region.release();
      }
      pool.giveBack(this);
    }
  }

  /** With its pool. */
  void end() {
    descriptor.close();
  }
}
