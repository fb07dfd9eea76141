package io.linerate.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An endpoint that reaches all peers that its domain knows, without connections (FI_EP_RDM):
 * reliable, and messages of one peer come in their order. {@link FabricDomain#endpoint} makes one.
 */
public final class OpenEndpoint extends Endpoint {
  private static final int ADDRESS_BYTES = 256;
  private static final String REFUSED = "an endpoint cannot be opened: address=";

  private OpenEndpoint(FabricDomain domain, CompletionQueue queue, long handle) {
    super(domain, queue, handle);
  }

  static OpenEndpoint open(FabricDomain domain, Bindings bindings) {
    String what = REFUSED + domain.address() + ",";
    long handle =
        NativeObject.open(what, FabricFunction.ENDPOINT, domain.handle(), domain.info(), 0);
    try {
      Bindings.bind(handle, "address vector", domain.addressVector(), 0);
      bindings.bind(handle);
      setName(domain.address().providerText(), handle);
      NativeObject.check(what, FabricFunction.ENABLE.call(handle));
      domain.setLeastMultiReceive(handle);
    } catch (FabricException e) {
      domain.closeNative("endpoint", handle);
      throw e;
    }
    return new OpenEndpoint(domain, bindings.queue(), handle);
  }

  /** Gives it the name that its domain was opened with: shm adds numbers to it otherwise. */
  private static void setName(String name, long handle) {
    if (name.isEmpty()) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(name);
      NativeObject.check(
          "an endpoint cannot be named: name=" + name + ",",
          FabricFunction.SET_NAME.call(handle, text.address(), text.byteSize()));
    }
  }

  /** Its own address as its provider writes it: {@link FabricDomain#peer(byte[])} reads it. */
  public byte[] name() {
    requireOpen();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocate(ADDRESS_BYTES);
      long length = FabricFunction.NAME.callLong(handle(), name.address(), ADDRESS_BYTES);
      NativeObject.check("an endpoint has no name:", length);
      return name.asSlice(0, Math.min(length, ADDRESS_BYTES))
          .toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    }
  }

  private Peer require(Peer peer) {
    if (peer.domain() != domain()) {
      throw new FabricException(
          "a peer belongs to another domain: peer=%s; ask the endpoint's domain for it"
              .formatted(peer));
    }
    FabricError lost = peer.lost();
    if (lost != null) {
      throw new FabricException("a peer is lost: " + lost.text() + "; ask the domain for it again");
    }
    return peer;
  }

  /** Sends a descriptor's memory. */
  public boolean send(Descriptor descriptor, Peer peer) {
    return doSend(descriptor, require(peer));
  }

  /** Sends a descriptor's memory with a tag. */
  public boolean sendTagged(Descriptor descriptor, Peer peer, long tag) {
    return doSendTagged(descriptor, require(peer), tag);
  }

  /**
   * Sends a message of at most {@link ProviderInfo#injectBytes}: its memory, which need not be
   * registered, is free when this returns, and no completion tells of it.
   */
  public boolean inject(MemorySegment message, Peer peer) {
    return doInject(message, require(peer).number());
  }

  /** As {@link #inject}, with a tag. */
  public boolean injectTagged(MemorySegment message, Peer peer, long tag) {
    return doInjectTagged(message, require(peer).number(), tag);
  }

  /** Posts memory for a message of one peer. */
  public boolean receiveFrom(Descriptor descriptor, Peer peer) {
    require(Capability.DIRECTED_RECEIVE);
    return post(descriptor, Operation.RECEIVE, 0, require(peer));
  }

  /** Posts memory for a message of one peer with a tag. */
  public boolean receiveTaggedFrom(Descriptor descriptor, Peer peer, long tag, long ignoredBits) {
    require(Capability.DIRECTED_RECEIVE);
    require(Capability.TAGGED);
    descriptor.requireIdleFor(this);
    descriptor.tag(tag, ignoredBits);
    return post(descriptor, Operation.TAGGED_RECEIVE, 0, require(peer));
  }

  /** Writes a peer's memory: the descriptor's memory goes to {@code offset} of the region. */
  public boolean write(Descriptor descriptor, Peer peer, RemoteRegion region, long offset) {
    return doWrite(descriptor, require(peer), region, offset);
  }

  /** Reads a peer's memory: from {@code offset} of the region on into the descriptor's memory. */
  public boolean read(Descriptor descriptor, Peer peer, RemoteRegion region, long offset) {
    return doRead(descriptor, require(peer), region, offset);
  }

  /** Changes a peer's memory by the values in the descriptor's memory. */
  public boolean atomic(
      Descriptor descriptor, Peer peer, AtomicTarget target, AtomicOperation atomic) {
    return doAtomic(descriptor, require(peer), target, atomic);
  }

  /** As {@link #atomic}; what was there before goes into {@code result}. */
  public boolean fetch(
      Descriptor descriptor,
      Peer peer,
      AtomicTarget target,
      AtomicOperation atomic,
      MemoryRegion result,
      long resultOffset) {
    return doFetch(descriptor, require(peer), target, atomic, result, resultOffset);
  }

  /**
   * Exchanges values that are as those in {@code compare} for those in the descriptor's memory;
   * what was there before goes into {@code result}.
   */
  public boolean compareAndSwap(
      Descriptor descriptor,
      Peer peer,
      AtomicTarget target,
      MemoryRegion compare,
      long compareOffset,
      MemoryRegion result,
      long resultOffset) {
    return doCompareAndSwap(
        descriptor, require(peer), target, compare, compareOffset, result, resultOffset);
  }
}
