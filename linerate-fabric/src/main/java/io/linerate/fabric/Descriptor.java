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
  private static final long PEEK_AND_CLAIM = FabricFlags.FI_PEEK | FabricFlags.FI_CLAIM;

  private final FabricDomain domain;
  private final int index;
  private final Work work;
  private final Segments segments;
  private final Posting posting;
  private long flags = FabricFlags.FI_COMPLETION;
  private Operation operation = Operation.SEND;
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
    segments = new Segments(domain, work);
    posting = new Posting(domain, index);
  }

  // ---- what it is about ----

  /** Its memory is all of a region, in place of what it was. */
  public Descriptor on(MemoryRegion region) {
    return on(region, 0, region.length());
  }

  /** Its memory is a range of a region, in place of what it was. */
  public Descriptor on(MemoryRegion region, long offset, long bytes) {
    requireIdle();
    segments.set(region, offset, bytes);
    return this;
  }

  /** Another range follows those before: one message of several segments. */
  public Descriptor and(MemoryRegion region, long offset, long bytes) {
    requireIdle();
    segments.add(region, offset, bytes);
    return this;
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
    flags |= FabricFlags.FI_REMOTE_CQ_DATA;
    return this;
  }

  /** Nothing goes beside the memory. */
  public Descriptor noImmediate() {
    requireIdle();
    flags &= ~FabricFlags.FI_REMOTE_CQ_DATA;
    return this;
  }

  /**
   * Whether it begins only when all operations before it to the same peer are complete.
   *
   * @throws FabricException if it is to, and the domain was not opened with {@link
   *     Capability#FENCE}: the provider would begin it at once
   */
  public Descriptor fence(boolean isOn) {
    requireIdle();
    if (isOn) {
      domain.provider().require(Capability.FENCE);
    }
    flags = isOn ? flags | FabricFlags.FI_FENCE : flags & ~FabricFlags.FI_FENCE;
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
    domain.requireOwner();
    handler = called;
    return this;
  }

  // ---- how it went ----

  /** Whether it is with an endpoint: nothing of it may be changed. */
  public boolean isPosted() {
    domain.requireOwner();
    return isHeld();
  }

  /** Why the last operation has failed; null if it has not. */
  public @Nullable FabricError error() {
    domain.requireOwner();
    return error;
  }

  /** Bytes that were received, or that the operation was about. */
  public long length() {
    domain.requireOwner();
    return length;
  }

  /** The tag of what was received. */
  public long tag() {
    domain.requireOwner();
    return tag;
  }

  /** Whether something came beside the memory. */
  public boolean hasImmediate() {
    domain.requireOwner();
    return hasImmediate;
  }

  /** What came beside the memory, 0 if nothing did. */
  public long immediate() {
    domain.requireOwner();
    return immediate;
  }

  /** What it was posted for the last time. */
  public Operation operation() {
    domain.requireOwner();
    return operation;
  }

  // ---- for endpoints and queues ----

  /** As a new one: nothing is left of what it was used for. */
  void reset() {
    requireIdle();
    posting.requireUnclaimed(tag);
    segments.clear();
    flags = FabricFlags.FI_COMPLETION;
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
    return segments.capacity();
  }

  boolean isDelivered() {
    return (flags & CompletionLevel.DELIVERED.flag()) != 0;
  }

  int segments() {
    return segments.count();
  }

  FabricDomain domain() {
    return domain;
  }

  @Nullable Receiver receiver() {
    return posting.receiver();
  }

  @Nullable Peer peer() {
    return posting.peer();
  }

  /** Idle, of the endpoint's domain, and without a message that it has claimed. */
  void requireIdleFor(Receiver at) {
    requireIdle();
    posting.requireUnclaimed(tag);
    posting.requireDomainOf(at);
  }

  /** Idle, and with a message that it has claimed there. */
  void requireClaimFor(Receiver at) {
    requireIdle();
    posting.requireDomainOf(at);
    posting.requireClaimAt(at);
  }

  void tag(long value, long ignoredBits) {
    work.tag(value, ignoredBits);
  }

  void remote(long where, long key) {
    work.remote(where, key);
  }

  void atomic(AtomicType type, int number) {
    work.atomic(type, number, segments.capacity() / type.bytes());
  }

  void result(MemoryRegion region, long offset) {
    segments.result(region, offset);
  }

  void compare(MemoryRegion region, long offset) {
    segments.compare(region, offset);
  }

  /** Makes ready what the native call reads. */
  void prepare(Operation next, long moreFlags, @Nullable Peer to) {
    int nativeSegments = segments.prepare(next, moreFlags);
    if (operation != next) { // Mostly it is the same: nothing for the collector to remember.
      operation = next;
    }
    posting.peer(to);
    work.operation(next, nativeSegments, (flags & usableFlags(next)) | moreFlags, to);
  }

  private static long usableFlags(Operation next) {
    return switch (next) {
      case SEND, TAGGED_SEND, WRITE -> -1;
      case ATOMIC -> ~FabricFlags.FI_REMOTE_CQ_DATA;
      case READ, FETCH, COMPARE_AND_SWAP -> FabricFlags.FI_COMPLETION | FabricFlags.FI_FENCE;
      case RECEIVE, TAGGED_RECEIVE -> FabricFlags.FI_COMPLETION;
    };
  }

  void posted(Receiver at) {
    posting.posted(at);
    if (error != null) {
      error = null;
    }
  }

  /** Whether memory for several messages stays posted after an entry with these flags. */
  private boolean staysPosted(long entryFlags) {
    return work.hasFlags(FabricFlags.FI_MULTI_RECV)
        && (entryFlags & FabricFlags.FI_MULTI_RECV) == 0;
  }

  /**
   * An entry of the queue is about it.
   *
   * @return whether it has ended
   */
  boolean completed(long entryFlags, long bytes, long entryTag, long data) {
    length = operation.isReceive() ? bytes : segments.capacity();
    tag = entryTag;
    hasImmediate = (entryFlags & FabricFlags.FI_REMOTE_CQ_DATA) != 0;
    immediate = hasImmediate ? data : 0;
    if (staysPosted(entryFlags)) {
      return false;
    }
    posting.ended(work.hasFlags(PEEK_AND_CLAIM));
    return true;
  }

  /** Why a message has failed that was completed into the spill; null if it was not. */
  @Nullable FabricError tooLong(long bytes) {
    Spill spill = segments.spill();
    if (spill == null
        || !operation.isReceive()
        || bytes <= segments.capacity()
        || work.hasFlags(FabricFlags.FI_PEEK)
        || work.hasFlags(FabricFlags.FI_MULTI_RECV)) {
      return null;
    }
    spill.clear();
    return FabricError.ofTruncation(segments.capacity(), bytes - segments.capacity());
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
    posting.dropped();
    return true;
  }

  /** It has failed, but the provider still has it: it stays posted until its endpoint is closed. */
  void abandon(FabricError why) {
    posting.abandoned();
    error = why;
  }

  /** Its endpoint is closed. */
  void dropped(FabricError why) {
    posting.dropped();
    error = why;
    length = why.length();
  }

  /** When it was posted, in the domain's ticks. */
  int postedAt() {
    return posting.postedAt();
  }

  /** Asks for it back: what this side has not asked for is cancelled by the end of a connection. */
  void askBack(CallCount calls, long endpoint) {
    posting.askedBack();
    FabricFunction.CANCEL.callLong(calls, endpoint, address());
  }

  boolean isAskedBack() {
    return posting.isAskedBack();
  }

  /** Whether its failure was told, while the provider still has it. */
  boolean isAbandoned() {
    return posting.isAbandoned();
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
    return segments.names(region, operation);
  }

  /** As {@link #isPosted}, for the domain itself. */
  boolean isHeld() {
    return posting.receiver() != null;
  }

  void requireIdle() {
    domain.requireOpen();
    if (isHeld() || isClosed) {
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
    domain.requireOwner();
    if (isClosed || domain.isClosed()) {
      return;
    }
    requireIdle();
    posting.requireUnclaimed(tag);
    isClosed = true;
    handler = null;
    domain.descriptors().giveBack(this);
  }
}
