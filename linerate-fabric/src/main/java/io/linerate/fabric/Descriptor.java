package io.linerate.fabric;

import io.linerate.core.driver.NativeMemory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is to be sent, or where what comes is to be put: segments of registered memory, and what
 * goes with them. Reusable: {@link Endpoint}s take it, and until its completion has been polled it
 * is posted, and nothing of it may be changed. Then it tells how it went. Nothing here allocates.
 *
 * <p>One thread's, as its domain. {@link FabricDomain#descriptor} gives one.
 */
public final class Descriptor implements AutoCloseable {
  /** FI_COMPLETION: it ends with an entry in the completion queue. */
  private static final long COMPLETION = 1L << 24;

  private static final long IMMEDIATE = 1L << 17;
  private static final long FENCE = 1L << 21;
  private static final long MULTI_RECEIVE = 1L << 16;

  private final FabricDomain domain;
  private final int index;
  private final long address;
  private final MemoryRegion[] regions = new MemoryRegion[WorkLayout.SEGMENTS_AT_MOST];
  private @Nullable MemoryRegion resultRegion;
  private @Nullable MemoryRegion compareRegion;
  private int segments;
  private long capacity;
  private long flags = COMPLETION;
  private Operation operation = Operation.SEND;
  private @Nullable Receiver receiver;
  private @Nullable Peer peer;
  private boolean isAbandoned;
  private int postedAt;
  private boolean isClosed;
  private @Nullable FabricError error;
  private long length;
  private long tag;
  private long immediate;
  private boolean hasImmediate;
  private @Nullable Consumer<Descriptor> handler;

  Descriptor(FabricDomain domain, int index, long address) {
    this.domain = domain;
    this.index = index;
    this.address = address;
    NativeMemory.u64(address + WorkLayout.ID, index);
  }

  // ---- what it is about ----

  /** Its memory is all of a region, in place of what it was. */
  public Descriptor on(MemoryRegion region) {
    return on(region, 0, region.length());
  }

  /** Its memory is a range of a region, in place of what it was. */
  public Descriptor on(MemoryRegion region, long offset, long bytes) {
    requireIdle();
    segments = 0;
    capacity = 0;
    return and(region, offset, bytes);
  }

  /** Another range follows those before: one message of several segments. */
  public Descriptor and(MemoryRegion region, long offset, long bytes) {
    requireIdle();
    if (segments == domain.provider().segments()) {
      throw new FabricException(
          "too many segments for one message: provider=%s, segments=%d; send fewer"
              .formatted(domain.provider().name(), segments));
    }
    long iov = address + WorkLayout.IOV + (long) segments * WorkLayout.IOV_BYTES;
    NativeMemory.u64(iov, requireOwn(region).locate(offset, bytes, false));
    NativeMemory.u64(iov + WorkLayout.IOV_LENGTH, bytes);
    NativeMemory.u64(
        address + WorkLayout.DESCRIPTORS + (long) segments * Long.BYTES, region.descriptor());
    regions[segments++] = region;
    capacity += bytes;
    return this;
  }

  private MemoryRegion requireOwn(MemoryRegion region) {
    if (region.domain() != domain) {
      throw new FabricException(
          "a memory region belongs to another domain: length=%d; register the memory with this one"
              .formatted(region.length()));
    }
    return region;
  }

  /**
   * A number that goes beside the memory, and that the peer's completion has.
   *
   * @param value as many low bytes as {@link ProviderInfo#immediateBytes}
   */
  public Descriptor immediate(long value) {
    requireIdle();
    int bytes = domain.provider().immediateBytes();
    if (bytes < Long.BYTES && value >>> (bytes * Byte.SIZE) != 0) {
      throw new FabricException(
          "immediate data too long for the provider: provider=%s, bytes=%d, value=%#x; send it as a part of the message"
              .formatted(domain.provider().name(), bytes, value));
    }
    NativeMemory.u64(address + WorkLayout.DATA, value);
    flags |= IMMEDIATE;
    return this;
  }

  /** Nothing goes beside the memory. */
  public Descriptor noImmediate() {
    requireIdle();
    flags &= ~IMMEDIATE;
    return this;
  }

  /** Whether it begins only when all operations before it to the same peer are complete. */
  public Descriptor fence(boolean isOn) {
    requireIdle();
    flags = isOn ? flags | FENCE : flags & ~FENCE;
    return this;
  }

  /** When it counts as complete; for sends, and writes of remote memory. */
  public Descriptor level(CompletionLevel level) {
    requireIdle();
    for (CompletionLevel each : CompletionLevel.values()) {
      flags &= ~each.flag();
    }
    flags |= level.flag();
    return this;
  }

  /**
   * What is called on the domain's thread when its completion is polled, after it has become idle:
   * it may post it again. Null for nothing.
   */
  public Descriptor whenComplete(@Nullable Consumer<Descriptor> called) {
    handler = called;
    return this;
  }

  // ---- how it went ----

  /** Whether it is with an endpoint: nothing of it may be changed. */
  public boolean isPosted() {
    return receiver != null;
  }

  /** Why the last operation has failed; null if it has not. */
  public @Nullable FabricError error() {
    return error;
  }

  /** Bytes that were received, or that the operation was about. */
  public long length() {
    return length;
  }

  /** The tag of what was received. */
  public long tag() {
    return tag;
  }

  /** Whether something came beside the memory. */
  public boolean hasImmediate() {
    return hasImmediate;
  }

  /** What came beside the memory, 0 if nothing did. */
  public long immediate() {
    return immediate;
  }

  /** What it was posted for the last time. */
  public Operation operation() {
    return operation;
  }

  // ---- for endpoints and queues ----

  int index() {
    return index;
  }

  long address() {
    return address;
  }

  long capacity() {
    return capacity;
  }

  int segments() {
    return segments;
  }

  FabricDomain domain() {
    return domain;
  }

  @Nullable Receiver receiver() {
    return receiver;
  }

  @Nullable Peer peer() {
    return peer;
  }

  /** Idle, and of the endpoint's domain. */
  void requireIdleFor(Receiver at) {
    requireIdle();
    if (at.domain() != domain) {
      throw new FabricException(
          "a descriptor belongs to another domain: index=%d; ask the endpoint's domain for one"
              .formatted(index));
    }
  }

  void reopen() {
    isClosed = false;
  }

  void tag(long value, long ignoredBits) {
    NativeMemory.u64(address + WorkLayout.TAG, value);
    NativeMemory.u64(address + WorkLayout.IGNORED_BITS, ignoredBits);
  }

  void remote(long where, long key) {
    NativeMemory.u64(address + WorkLayout.REMOTE_ADDRESS, where);
    NativeMemory.u64(address + WorkLayout.REMOTE_KEY, key);
  }

  void atomic(AtomicType type, AtomicOperation atomic, int number) {
    NativeMemory.u32(address + WorkLayout.DATATYPE, type.number());
    NativeMemory.u32(address + WorkLayout.ATOMIC, number < 0 ? atomic.number() : number);
    NativeMemory.u64(address + WorkLayout.ELEMENTS, capacity / type.bytes());
  }

  void result(MemoryRegion region, long offset) {
    NativeMemory.u64(
        address + WorkLayout.RESULT, requireOwn(region).locate(offset, capacity, true));
    NativeMemory.u64(address + WorkLayout.RESULT_DESCRIPTOR, region.descriptor());
    resultRegion = region;
  }

  void compare(MemoryRegion region, long offset) {
    NativeMemory.u64(
        address + WorkLayout.COMPARE, requireOwn(region).locate(offset, capacity, false));
    NativeMemory.u64(address + WorkLayout.COMPARE_DESCRIPTOR, region.descriptor());
    compareRegion = region;
  }

  /** Makes ready what the native call reads. */
  void prepare(Operation next, long moreFlags, @Nullable Peer to) {
    requireIdle();
    for (int i = 0; i < segments; i++) {
      requireUsable(regions[i], next);
    }
    operation = next;
    peer = to;
    NativeMemory.u32(address + WorkLayout.OPERATION, next.number());
    NativeMemory.u32(address + WorkLayout.SEGMENTS, segments);
    NativeMemory.u64(
        address + WorkLayout.FLAGS, (next.isReceive() ? COMPLETION : flags) | moreFlags);
    NativeMemory.u64(address + WorkLayout.PEER, to == null ? Peer.ANY : to.number());
  }

  private static void requireUsable(MemoryRegion region, Operation next) {
    if (region.isClosed() || (next.writesMemory() && region.segment().isReadOnly())) {
      region.locate(0, 0, next.writesMemory()); // Says why.
    }
  }

  void posted(Receiver at) {
    receiver = at;
    postedAt = domain.ticks();
    error = null;
    isAbandoned = false;
  }

  /** An entry of the queue is about it. */
  void completed(long entryFlags, long bytes, long entryTag, long data) {
    boolean isHeld = (NativeMemory.u64(address + WorkLayout.FLAGS) & MULTI_RECEIVE) != 0;
    if (!isHeld || (entryFlags & MULTI_RECEIVE) != 0) {
      receiver = null;
    }
    length = operation.isReceive() ? bytes : capacity;
    tag = entryTag;
    hasImmediate = (entryFlags & IMMEDIATE) != 0;
    immediate = hasImmediate ? data : 0;
  }

  /** It has failed, and the provider is done with it. */
  void failed(FabricError why) {
    receiver = null;
    error = why;
    length = why.length();
  }

  /** It has failed, but the provider still has it: it stays posted until its endpoint is closed. */
  void abandon(FabricError why) {
    isAbandoned = true;
    error = why;
  }

  /** When it was posted, in the domain's ticks. */
  int postedAt() {
    return postedAt;
  }

  /** Whether its failure was told, while the provider still has it. */
  boolean isAbandoned() {
    return isAbandoned;
  }

  void notifyHandler() {
    Consumer<Descriptor> called = handler;
    if (called != null) {
      called.accept(this);
    }
  }

  boolean names(MemoryRegion region) {
    for (int i = 0; i < segments; i++) {
      if (regions[i] == region) {
        return true;
      }
    }
    boolean hasResult = operation == Operation.FETCH || operation == Operation.COMPARE_AND_SWAP;
    return (hasResult && resultRegion == region)
        || (operation == Operation.COMPARE_AND_SWAP && compareRegion == region);
  }

  private void requireIdle() {
    domain.check();
    if (receiver != null || isClosed) {
      throw new FabricException(
          isClosed
              ? "a descriptor is closed: index=%d; ask the domain for another".formatted(index)
              : "a descriptor is posted: index=%d, operation=%s; wait for its completion"
                  .formatted(index, operation));
    }
  }

  /**
   * Gives it back to its domain.
   *
   * @throws FabricException if it is posted
   */
  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    requireIdle();
    isClosed = true;
    segments = 0;
    capacity = 0;
    flags = COMPLETION;
    handler = null;
    peer = null;
    domain.giveBack(this);
  }
}
