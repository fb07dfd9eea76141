package io.linerate.fabric;

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
  private static final long PEEK = 1L << 19;
  private static final long CLAIM = 1L << 59;
  private static final long PEEK_AND_CLAIM = PEEK | CLAIM;

  private final FabricDomain domain;
  private final int index;
  private final Work work;
  private final MemoryRegion[] regions = new MemoryRegion[WorkLayout.SEGMENTS_AT_MOST];
  private @Nullable MemoryRegion resultRegion;
  private @Nullable MemoryRegion compareRegion;
  private int segments;
  private long capacity;
  private long flags = COMPLETION;
  private Operation operation = Operation.SEND;
  private @Nullable Receiver receiver;
  private @Nullable Peer peer;
  private @Nullable Receiver claimedAt;
  private boolean isAbandoned;
  private boolean isAskedBack;
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
    work = new Work(address);
    work.id(index);
  }

  // ---- what it is about ----

  /** Its memory is all of a region, in place of what it was. */
  public Descriptor on(MemoryRegion region) {
    return on(region, 0, region.length());
  }

  /** Its memory is a range of a region, in place of what it was. */
  public Descriptor on(MemoryRegion region, long offset, long bytes) {
    requireIdle();
    long where = requireOwn(region).locate(offset, bytes, false);
    segments = 0;
    capacity = 0;
    return add(region, where, bytes);
  }

  /** Another range follows those before: one message of several segments. */
  public Descriptor and(MemoryRegion region, long offset, long bytes) {
    requireIdle();
    if (segments == domain.provider().segments()) {
      throw new FabricException(
          "too many segments for one message: provider=%s, segments=%d; send fewer"
              .formatted(domain.provider().name(), segments));
    }
    return add(region, requireOwn(region).locate(offset, bytes, false), bytes);
  }

  private Descriptor add(MemoryRegion region, long where, long bytes) {
    work.segment(segments, where, bytes, region);
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
   * A number that goes beside the memory, and that the peer's completion has: with sends, and
   * writes of remote memory.
   *
   * @param value as many low bytes as {@link ProviderInfo#immediateBytes}
   */
  public Descriptor immediate(long value) {
    requireIdle();
    domain.provider().requireImmediate(value);
    work.immediate(value);
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
    flags = (flags & ~CompletionLevel.FLAGS) | level.flag();
    return this;
  }

  /**
   * What is called on the domain's thread when its completion is polled, after it has become idle:
   * it may post it again. Null for nothing.
   */
  public Descriptor whenComplete(@Nullable Consumer<Descriptor> called) {
    domain.check();
    handler = called;
    return this;
  }

  // ---- how it went ----

  /** Whether it is with an endpoint: nothing of it may be changed. */
  public boolean isPosted() {
    domain.check();
    return receiver != null;
  }

  /** Why the last operation has failed; null if it has not. */
  public @Nullable FabricError error() {
    domain.check();
    return error;
  }

  /** Bytes that were received, or that the operation was about. */
  public long length() {
    domain.check();
    return length;
  }

  /** The tag of what was received. */
  public long tag() {
    domain.check();
    return tag;
  }

  /** Whether something came beside the memory. */
  public boolean hasImmediate() {
    domain.check();
    return hasImmediate;
  }

  /** What came beside the memory, 0 if nothing did. */
  public long immediate() {
    domain.check();
    return immediate;
  }

  /** What it was posted for the last time. */
  public Operation operation() {
    domain.check();
    return operation;
  }

  // ---- for endpoints and queues ----

  /** As a new one: nothing is left of what it was used for. */
  void reset() {
    requireIdle();
    requireUnclaimed();
    segments = 0;
    capacity = 0;
    flags = COMPLETION;
    error = null;
    length = 0;
    handler = null;
  }

  /** As {@link #operation}, for the domain itself. */
  Operation currentOperation() {
    return operation;
  }

  int index() {
    return index;
  }

  long address() {
    return work.address();
  }

  long capacity() {
    return capacity;
  }

  boolean isDelivered() {
    return (flags & CompletionLevel.DELIVERED.flag()) != 0;
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

  /** Idle, of the endpoint's domain, and without a message that it has claimed. */
  void requireIdleFor(Receiver at) {
    requireIdle();
    requireUnclaimed();
    requireOf(at);
  }

  private void requireUnclaimed() {
    if (claimedAt != null && !claimedAt.isEnded()) {
      throw new FabricException(
          "a descriptor has claimed a message: index=%d, tag=%d; receive that by it first"
              .formatted(index, tag));
    }
  }

  /** Idle, and with a message that it has claimed there: the provider does not look. */
  void requireClaimFor(Receiver at) {
    requireIdle();
    requireOf(at);
    if (claimedAt != at) {
      throw new FabricException(
          "a descriptor has claimed no message of this endpoint: index=%d; claim one by it first"
              .formatted(index));
    }
  }

  private void requireOf(Receiver at) {
    if (at.domain() != domain) {
      throw new FabricException(
          "a descriptor belongs to another domain: index=%d; ask the endpoint's domain for one"
              .formatted(index));
    }
  }

  void tag(long value, long ignoredBits) {
    work.tag(value, ignoredBits);
  }

  void remote(long where, long key) {
    work.remote(where, key);
  }

  void atomic(AtomicType type, int number) {
    work.atomic(type, number, capacity / type.bytes());
  }

  void result(MemoryRegion region, long offset) {
    work.result(requireOwn(region).locate(offset, capacity, true), region);
    resultRegion = region;
  }

  void compare(MemoryRegion region, long offset) {
    work.compare(requireOwn(region).locate(offset, capacity, false), region);
    compareRegion = region;
  }

  /** Makes ready what the native call reads. */
  void prepare(Operation next, long moreFlags, @Nullable Peer to) {
    for (int i = 0; i < segments; i++) {
      requireUsable(regions[i], next);
    }
    if (operation != next) { // Mostly it is the same: nothing for the collector to remember.
      operation = next;
    }
    if (peer != to) {
      peer = to;
    }
    int nativeSegments = segments;
    Spill spill = domain.nativeDomain().spill();
    if (spill != null && next.isReceive() && needsSpill(moreFlags)) {
      work.spill(nativeSegments++, spill);
    }
    work.operation(next, nativeSegments, (flags & usableFlags(next)) | moreFlags, to);
  }

  /** Memory for several messages is one segment; how long a claimed one is, is known. */
  private boolean needsSpill(long moreFlags) {
    if ((moreFlags & (MULTI_RECEIVE | PEEK)) != 0) {
      return false;
    }
    return domain.address().isManagedByRxm() ? capacity == 0 : (moreFlags & CLAIM) == 0;
  }

  private static long usableFlags(Operation next) {
    return switch (next) {
      case SEND, TAGGED_SEND, WRITE -> -1;
      case ATOMIC -> ~IMMEDIATE;
      case READ, FETCH, COMPARE_AND_SWAP -> COMPLETION | FENCE;
      case RECEIVE, TAGGED_RECEIVE -> COMPLETION;
    };
  }

  private static void requireUsable(MemoryRegion region, Operation next) {
    if (region.isClosed() || (next.writesMemory() && region.segment().isReadOnly())) {
      region.locate(0, 0, next.writesMemory()); // Says why.
    }
  }

  void posted(Receiver at) {
    receiver = at;
    postedAt = domain.ticks();
    if (error != null) {
      error = null;
    }
    isAbandoned = false;
    isAskedBack = false;
    claimedAt = null;
  }

  /** Whether memory for several messages stays posted after an entry with these flags. */
  private boolean staysPosted(long entryFlags) {
    return work.hasFlags(MULTI_RECEIVE) && (entryFlags & MULTI_RECEIVE) == 0;
  }

  /**
   * An entry of the queue is about it.
   *
   * @return whether it has ended
   */
  boolean completed(long entryFlags, long bytes, long entryTag, long data) {
    length = operation.isReceive() ? bytes : capacity;
    tag = entryTag;
    hasImmediate = (entryFlags & IMMEDIATE) != 0;
    immediate = hasImmediate ? data : 0;
    if (staysPosted(entryFlags)) {
      return false;
    }
    claimedAt = work.hasFlags(PEEK_AND_CLAIM) ? receiver : null;
    receiver = null;
    return true;
  }

  /** Why a message has failed that was completed into the spill; null if it was not. */
  @Nullable FabricError tooLong(long bytes) {
    Spill spill = domain.nativeDomain().spill();
    if (spill == null
        || !operation.isReceive()
        || bytes <= capacity
        || work.hasFlags(PEEK)
        || work.hasFlags(MULTI_RECEIVE)) {
      return null;
    }
    spill.clear();
    return FabricError.ofTruncation(capacity, bytes - capacity);
  }

  /**
   * An entry of the queue tells that it has failed.
   *
   * @return whether it has ended; memory for several messages may still be with the provider
   */
  boolean failed(FabricError why, long entryFlags) {
    error = why;
    length = why.length();
    if (staysPosted(entryFlags)) {
      return false;
    }
    receiver = null;
    return true;
  }

  /** It has failed, but the provider still has it: it stays posted until its endpoint is closed. */
  void abandon(FabricError why) {
    isAbandoned = true;
    error = why;
  }

  /** Its endpoint is closed. */
  void dropped(FabricError why) {
    receiver = null;
    error = why;
    length = why.length();
  }

  /** When it was posted, in the domain's ticks. */
  int postedAt() {
    return postedAt;
  }

  /** Asks for it back: what this side has not asked for is cancelled by the end of a connection. */
  void askBack(NativeCalls calls, long endpoint) {
    isAskedBack = true;
    FabricFunction.CANCEL.callLong(calls, endpoint, address());
  }

  boolean isAskedBack() {
    return isAskedBack;
  }

  /** Whether its failure was told, while the provider still has it. */
  boolean isAbandoned() {
    return isAbandoned;
  }

  boolean hasHandler() {
    return handler != null;
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

  /** As {@link #isPosted}, for the domain itself. */
  boolean isHeld() {
    return receiver != null;
  }

  void requireIdle() {
    domain.requireOpen();
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
   * @throws FabricException if it is posted, or has claimed a message
   */
  @Override
  public void close() {
    domain.check();
    if (isClosed || domain.isClosed()) {
      return;
    }
    requireIdle();
    requireUnclaimed();
    isClosed = true;
    handler = null;
    domain.descriptors().giveBack(this);
  }
}
