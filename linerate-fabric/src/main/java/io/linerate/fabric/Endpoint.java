package io.linerate.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Where messages leave and arrive: a queue of what is to be sent, and one of where to put what
 * comes. A {@link Connection} has one peer, an {@link OpenEndpoint} all that it knows.
 */
public abstract sealed class Endpoint extends Receiver permits Connection, OpenEndpoint {
  private static final int FI_OPT_MIN_MULTI_RECV = 0;

  private static final String INJECTED = "a message cannot be injected: operation=";

  private final Bindings bindings;
  private final AtomicLimits limits;
  private MemorySegment copied = MemorySegment.NULL;

  Endpoint(FabricDomain domain, Bindings bindings, long handle) {
    super(domain, bindings.queue(), handle);
    this.bindings = bindings;
    limits = new AtomicLimits(handle);
  }

  /** After the endpoint is enabled: shm has no place for it before, and crashes. */
  static void setLeastMultiReceive(DomainOptions options, long endpoint) {
    if (options.capabilities().contains(Capability.MULTI_RECEIVE)) {
      int bytes = options.leastMultiReceive();
      NativeObject.check(
          "memory for several messages cannot be bounded: bytes=" + bytes + ",",
          FabricFunction.OPTION.call(endpoint, FI_OPT_MIN_MULTI_RECV, bytes));
    }
  }

  @Override
  final boolean uses(Object part) {
    return super.uses(part) || bindings.has(part);
  }

  final boolean doSend(Descriptor descriptor, @Nullable Peer peer) {
    return post(descriptor, Operation.SEND, 0, peer);
  }

  final boolean doSendTagged(Descriptor descriptor, @Nullable Peer peer, long tag) {
    require(Capability.TAGGED);
    descriptor.requireIdleFor(this);
    descriptor.tag(tag, 0);
    return post(descriptor, Operation.TAGGED_SEND, 0, peer);
  }

  final boolean doInject(MemorySegment message, long peer) {
    requireInjectable(message, true);
    requireAnswered(Operation.SEND);
    return requireTaken(
        INJECTED,
        Operation.SEND,
        message.isNative() || provider().readsArrays()
            ? FabricLibrary.inject(calls(), handle(), message, peer)
            : injectCopied(message, peer));
  }

  /** The provider has read the copy when this returns. */
  private long injectCopied(MemorySegment array, long peer) {
    long bytes = array.byteSize();
    if (copied.byteSize() < bytes) {
      copied = Arena.ofAuto().allocate(bytes);
    }
    MemorySegment.copy(array, 0, copied, 0, bytes);
    return FabricLibrary.inject(calls(), handle(), copied.address(), bytes, peer);
  }

  final boolean doInject(MemoryRegion region, long offset, long bytes, long peer) {
    requireOpen();
    if (bytes > provider().injectBytes()) {
      throw notInjectable(bytes, true);
    }
    long where = region.locate(offset, bytes, false);
    requireAnswered(Operation.SEND);
    return requireTaken(
        INJECTED, Operation.SEND, FabricLibrary.inject(calls(), handle(), where, bytes, peer));
  }

  final boolean doInjectTagged(MemorySegment message, long peer, long tag) {
    require(Capability.TAGGED);
    requireInjectable(message, message.isNative());
    requireAnswered(Operation.TAGGED_SEND);
    return requireTaken(
        INJECTED,
        Operation.TAGGED_SEND,
        FabricLibrary.taggedInject(calls(), handle(), message, peer, tag));
  }

  private void requireInjectable(MemorySegment message, boolean isPlaceUsable) {
    requireOpen();
    boolean isUsable =
        isPlaceUsable
            && message.scope().isAlive()
            && message.isAccessibleBy(Thread.currentThread());
    if (!isUsable || message.byteSize() > provider().injectBytes()) {
      throw notInjectable(message.byteSize(), isUsable);
    }
  }

  private FabricException notInjectable(long bytes, boolean isUsable) {
    return new FabricException(
        "a message cannot be injected: length=%d, limit=%d, usable=%s; take memory that this thread may read (with a tag native memory), post a descriptor, or send less"
            .formatted(bytes, provider().injectBytes(), isUsable));
  }

  final boolean doWrite(
      Descriptor descriptor, @Nullable Peer peer, RemoteRegion region, long offset) {
    requireRemote(descriptor, Operation.WRITE);
    descriptor.remote(
        region.locate(offset, descriptor.capacity(), Access.REMOTE_WRITE), region.key());
    return post(descriptor, Operation.WRITE, 0, peer);
  }

  final boolean doRead(
      Descriptor descriptor, @Nullable Peer peer, RemoteRegion region, long offset) {
    requireRemote(descriptor, Operation.READ);
    descriptor.remote(
        region.locate(offset, descriptor.capacity(), Access.REMOTE_READ), region.key());
    return post(descriptor, Operation.READ, 0, peer);
  }

  private void requireRemote(Descriptor descriptor, Operation operation) {
    require(Capability.REMOTE_MEMORY);
    descriptor.requireIdleFor(this);
    if (descriptor.capacity() == 0) {
      throw new FabricException(
          "nothing to transfer: operation=%s, length=0; give the descriptor memory"
              .formatted(operation));
    }
  }

  final boolean doAtomic(
      Descriptor descriptor, @Nullable Peer peer, AtomicTarget target, AtomicOperation atomic) {
    prepareAtomic(descriptor, Operation.ATOMIC, target, atomic);
    return post(descriptor, Operation.ATOMIC, 0, peer);
  }

  final boolean doFetch(
      Descriptor descriptor,
      @Nullable Peer peer,
      AtomicTarget target,
      AtomicOperation atomic,
      MemoryRegion result,
      long resultOffset) {
    prepareAtomic(descriptor, Operation.FETCH, target, atomic);
    descriptor.result(result, resultOffset);
    return post(descriptor, Operation.FETCH, 0, peer);
  }

  final boolean doCompareAndSwap(
      Descriptor descriptor,
      @Nullable Peer peer,
      AtomicTarget target,
      MemoryRegion compare,
      long compareOffset,
      MemoryRegion result,
      long resultOffset) {
    prepareAtomic(descriptor, Operation.COMPARE_AND_SWAP, target, AtomicOperation.WRITE);
    descriptor.compare(compare, compareOffset);
    descriptor.result(result, resultOffset);
    return post(descriptor, Operation.COMPARE_AND_SWAP, 0, peer);
  }

  private void prepareAtomic(
      Descriptor descriptor, Operation operation, AtomicTarget target, AtomicOperation atomic) {
    require(Capability.ATOMICS);
    descriptor.requireIdleFor(this);
    AtomicType type = target.type();
    long bytes = descriptor.capacity();
    if (descriptor.segments() != 1 || bytes == 0 || bytes % type.bytes() != 0) {
      throw new FabricException(
          "operands of an atomic operation: segments=%d, length=%d, type=%s; use one segment of whole values"
              .formatted(descriptor.segments(), bytes, type));
    }
    int limit = limits.of(operation, type, atomic);
    if (bytes / type.bytes() > limit) {
      throw new FabricException(
          "the endpoint has no such atomic operation: operation=%s, atomic=%s, type=%s, values=%d, limit=%d; ask atomicLimit before"
              .formatted(operation, atomic, type, bytes / type.bytes(), limit));
    }
    RemoteRegion region = target.region();
    region.locate(target.offset(), bytes, Access.REMOTE_READ);
    descriptor.remote(region.locate(target.offset(), bytes, Access.REMOTE_WRITE), region.key());
    descriptor.atomic(type, AtomicLimits.number(operation, atomic));
  }

  /** Whether an atomic operation is there for a type; how many values it may have, 0 for none. */
  public final int atomicLimit(Operation operation, AtomicType type, AtomicOperation atomic) {
    requireOpen();
    return limits.of(operation, type, atomic);
  }
}
