package io.linerate.fabric;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Where messages leave and arrive: a queue of what is to be sent, and one of where to put what
 * comes. A {@link Connection} has one peer, an {@link OpenEndpoint} all that it knows.
 */
public abstract sealed class Endpoint extends Receiver permits Connection, OpenEndpoint {
  private static final int COMPARE_AND_SWAP = 12; // FI_CSWAP.
  private static final String INJECTED = "a message cannot be injected: operation=";

  Endpoint(FabricDomain domain, CompletionQueue queue, long handle) {
    super(domain, queue, handle);
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
    requireInjectable(message);
    return isTaken(
        INJECTED,
        Operation.SEND,
        FabricLibrary.inject(handle(), message.address(), message.byteSize(), peer));
  }

  final boolean doInjectTagged(MemorySegment message, long peer, long tag) {
    require(Capability.TAGGED);
    requireInjectable(message);
    return isTaken(
        INJECTED,
        Operation.TAGGED_SEND,
        FabricLibrary.taggedInject(handle(), message.address(), message.byteSize(), peer, tag));
  }

  private void requireInjectable(MemorySegment message) {
    requireOpen();
    if (!message.isNative()
        || message.byteSize() > provider().injectBytes()
        || !message.scope().isAlive()) {
      throw new FabricException(
          "a message cannot be injected: length=%d, limit=%d, native=%s; post a descriptor, or send less"
              .formatted(message.byteSize(), provider().injectBytes(), message.isNative()));
    }
  }

  final boolean doWrite(
      Descriptor descriptor, @Nullable Peer peer, RemoteRegion region, long offset) {
    descriptor.requireIdleFor(this);
    descriptor.remote(
        region.locate(offset, descriptor.capacity(), Access.REMOTE_WRITE), region.key());
    return postRemote(descriptor, Operation.WRITE, peer);
  }

  final boolean doRead(
      Descriptor descriptor, @Nullable Peer peer, RemoteRegion region, long offset) {
    descriptor.requireIdleFor(this);
    descriptor.remote(
        region.locate(offset, descriptor.capacity(), Access.REMOTE_READ), region.key());
    return postRemote(descriptor, Operation.READ, peer);
  }

  private boolean postRemote(Descriptor descriptor, Operation operation, @Nullable Peer peer) {
    require(Capability.REMOTE_MEMORY);
    if (descriptor.capacity() == 0) {
      throw new FabricException(
          "nothing to transfer: operation=%s, length=0; give the descriptor memory"
              .formatted(operation));
    }
    return post(descriptor, operation, 0, peer);
  }

  final boolean doAtomic(
      Descriptor descriptor, @Nullable Peer peer, AtomicTarget target, AtomicOperation atomic) {
    prepareAtomic(descriptor, target);
    descriptor.atomic(target.type(), atomic, -1);
    return post(descriptor, Operation.ATOMIC, 0, peer);
  }

  final boolean doFetch(
      Descriptor descriptor,
      @Nullable Peer peer,
      AtomicTarget target,
      AtomicOperation atomic,
      MemoryRegion result,
      long resultOffset) {
    prepareAtomic(descriptor, target);
    descriptor.atomic(target.type(), atomic, -1);
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
    prepareAtomic(descriptor, target);
    descriptor.atomic(target.type(), AtomicOperation.WRITE, COMPARE_AND_SWAP);
    descriptor.compare(compare, compareOffset);
    descriptor.result(result, resultOffset);
    return post(descriptor, Operation.COMPARE_AND_SWAP, 0, peer);
  }

  private void prepareAtomic(Descriptor descriptor, AtomicTarget target) {
    require(Capability.ATOMICS);
    descriptor.requireIdleFor(this);
    long bytes = descriptor.capacity();
    if (descriptor.segments() != 1 || bytes == 0 || bytes % target.type().bytes() != 0) {
      throw new FabricException(
          "operands of an atomic operation: segments=%d, length=%d, type=%s; use one segment of whole values"
              .formatted(descriptor.segments(), bytes, target.type()));
    }
    RemoteRegion region = target.region();
    region.locate(target.offset(), bytes, Access.REMOTE_READ);
    descriptor.remote(region.locate(target.offset(), bytes, Access.REMOTE_WRITE), region.key());
  }

  /** Whether an atomic operation is there for a type; how many values it may have, 0 for none. */
  public final int atomicLimit(Operation operation, AtomicType type, AtomicOperation atomic) {
    requireOpen();
    int number = operation == Operation.COMPARE_AND_SWAP ? COMPARE_AND_SWAP : atomic.number();
    return (int)
        Math.min(
            Integer.MAX_VALUE,
            FabricFunction.ATOMIC_LIMIT.callLong(
                handle(), operation.number(), type.number(), number));
  }
}
