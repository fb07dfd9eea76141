package io.linerate.fabric;

import io.linerate.fabric.host.AwaitedRegion;
import io.linerate.fabric.host.SharedName;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint that reaches all peers that its domain knows, without connections (FI_EP_RDM):
 * reliable, and messages of one peer come in their order. {@link FabricDomain#endpoint} makes one.
 */
public final class OpenEndpoint extends Endpoint {
  private static final int ADDRESS_BYTES = 256;

  /** Looks within which rxm is connected to itself: closed before, it leaves a socket open. */
  private static final int ROUNDS_TO_CONNECT = 64;

  private static final String REFUSED = "an endpoint cannot be opened: address=";

  private final @Nullable SharedName sharedName;

  /** What a peer of shm must find that has not answered yet. */
  private @Nullable AwaitedRegion awaited;

  private final boolean hasSilentPeers;

  private OpenEndpoint(
      FabricDomain domain, Bindings bindings, long handle, @Nullable SharedName sharedName) {
    super(domain, bindings, handle);
    this.sharedName = sharedName;
    hasSilentPeers = domain.address().provider().equals("tcp+rxm");
  }

  static OpenEndpoint open(FabricDomain domain, Bindings bindings) {
    if (!domain.address().isSharedMemory()) {
      return open(domain, bindings, null);
    }
    return LinkedDomains.exclusively(() -> {
      SharedName name = LinkedDomains.named(domain);
      try {
        return open(domain, bindings, name);
      } catch (RuntimeException e) {
        LinkedDomains.unnamed(name);
        throw e;
      }
    });
  }

  private static OpenEndpoint open(
      FabricDomain domain, Bindings bindings, @Nullable SharedName sharedName) {
    String what = REFUSED + domain.address() + ",";
    long handle =
        NativeObject.open(
            what, FabricFunction.ENDPOINT, domain.handle(), domain.nativeDomain().info(), 0);
    try {
      Bindings.bind(handle, "address vector", domain.addressVector(), 0);
      bindings.bind(handle);
      if (sharedName != null) {
        setName("fi_shm://" + sharedName.text(), handle);
      }
      NativeObject.check(what, FabricFunction.ENABLE.call(handle));
      setLeastMultiReceive(domain.options(), handle);
    } catch (RuntimeException e) {
      domain.nativeClosing().closeEndpoint(handle, false);
      throw e;
    }
    OpenEndpoint opened = new OpenEndpoint(domain, bindings, handle, sharedName);
    if (domain.address().isManagedByRxm()) {
      opened.connectToItself();
    }
    return opened;
  }

  /**
   * Begins a connection of rxm that stays. A message of more than 16 KiB whose memory is posted
   * only after its sender has gone makes it look for the connection, in a table that is not there
   * while there is no other.
   */
  private void connectToItself() {
    try (Arena arena = Arena.ofConfined()) {
      byte[] name = name();
      MemorySegment memory = arena.allocate(name.length, Long.BYTES);
      MemorySegment.copy(name, 0, memory, ValueLayout.JAVA_BYTE, 0, name.length);
      long itself =
          NativeObject.open(
              "an endpoint cannot reach itself: address=" + domain().address() + ",",
              FabricFunction.PEER_INSERT,
              domain().addressVector(),
              memory.address());
      // Nothing is sent: the connection is not there yet, and nobody asks again.
      long _ = FabricLibrary.inject(calls(), handle(), memory.address(), 0, itself);
    }
  }

  private static void setName(String name, long handle) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(name);
      NativeObject.check(
          "an endpoint cannot be named: name=" + name + ",",
          FabricFunction.SET_NAME.call(handle, text.address(), text.byteSize()));
    }
  }

  @Override
  void beforeClose() {
    if (hasSilentPeers) {
      queue().hold(ROUNDS_TO_CONNECT);
    }
    if (sharedName != null) {
      awaited = AwaitedRegion.of(sharedName);
      LinkedDomains.unnamed(sharedName);
    }
  }

  @Override
  void afterClose() {
    if (awaited != null) {
      awaited.put();
    }
  }

  /** Its own address as its provider writes it: {@link FabricDomain#peer(byte[])} reads it. */
  public byte[] name() {
    requireOpen();
    return nameOf(handle());
  }

  /** Where it is: the domain's address, with the port that the provider has chosen if it was to. */
  public FabricAddress address() {
    return domain().address().named(name());
  }

  static byte[] nameOf(long handle) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocate(ADDRESS_BYTES);
      long length = FabricFunction.NAME.callLong(handle, name.address(), ADDRESS_BYTES);
      NativeObject.check("an endpoint has no name:", length);
      return name.asSlice(0, Math.min(length, ADDRESS_BYTES)).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /**
   * Whether a peer is there: one of shm may not be yet.
   *
   * @throws FabricException if it is another domain's, lost, or removed
   */
  private boolean reaches(Peer peer) {
    requireOpen();
    if (peer.domain() != domain()) {
      throw new FabricException(
          "a peer belongs to another domain: peer=%s; ask the endpoint's domain for it"
              .formatted(peer));
    }
    FabricError lost = peer.lost();
    if (lost != null) {
      throw new FabricException("a peer is lost: " + lost.text() + "; ask the domain for it again");
    }
    if (peer.isRemoved()) {
      throw new FabricException(
          "a peer was removed: peer=%s; ask the domain for it again".formatted(peer));
    }
    return peer.number() != Peer.ANY || domain().resolve(peer);
  }

  /**
   * Whether the provider has taken something for a peer. rxm does not tell that a peer has gone: it
   * asks for a connection again and again, and takes nothing while it has none.
   */
  private boolean noteTaken(Peer peer, boolean isPosted) {
    if (isPosted) {
      peer.reached();
    } else if (hasSilentPeers && peer.refused(domain().ticks())) {
      if (queue().hasRoom() && !domain().descriptors().isSending(this) && peer.loseIfGone()) {
        domain().lost(peer);
      } else {
        peer.forgetRefusals(); // A queue is full.
      }
    }
    return isPosted;
  }

  /** Sends a descriptor's memory; also returns false while a peer of shm is not there yet. */
  public boolean send(Descriptor descriptor, Peer peer) {
    return reaches(peer) && noteTaken(peer, doSend(descriptor, peer));
  }

  /** Sends a descriptor's memory with a tag. */
  public boolean sendTagged(Descriptor descriptor, Peer peer, long tag) {
    return reaches(peer) && noteTaken(peer, doSendTagged(descriptor, peer, tag));
  }

  /**
   * Sends a message of at most {@link ProviderInfo#injectBytes}: its memory, which need not be
   * registered, is free when this returns, and no completion tells of it. An array of the heap
   * ({@link MemorySegment#ofArray}) is copied first, unless {@link ProviderInfo#readsArrays}.
   */
  public boolean inject(MemorySegment message, Peer peer) {
    return reaches(peer) && noteTaken(peer, doInject(message, peer.number()));
  }

  /** As {@link #inject(MemorySegment, Peer)}, of a range of registered memory: the fastest way. */
  public boolean inject(MemoryRegion region, long offset, long bytes, Peer peer) {
    return reaches(peer) && noteTaken(peer, doInject(region, offset, bytes, peer.number()));
  }

  /** As {@link #inject(MemorySegment, Peer)}, of native memory with a tag. */
  public boolean injectTagged(MemorySegment message, Peer peer, long tag) {
    return reaches(peer) && noteTaken(peer, doInjectTagged(message, peer.number(), tag));
  }

  /** Posts memory for a message of one peer. */
  public boolean receiveFrom(Descriptor descriptor, Peer peer) {
    require(Capability.DIRECTED_RECEIVE);
    return reaches(peer) && post(descriptor, Operation.RECEIVE, 0, peer);
  }

  /** Posts memory for a message of one peer with a tag. */
  public boolean receiveTaggedFrom(Descriptor descriptor, Peer peer, long tag, long ignoredBits) {
    require(Capability.DIRECTED_RECEIVE);
    require(Capability.TAGGED);
    descriptor.requireIdleFor(this);
    descriptor.tag(tag, ignoredBits);
    return reaches(peer) && post(descriptor, Operation.TAGGED_RECEIVE, 0, peer);
  }

  /** Writes a peer's memory: the descriptor's memory goes to {@code offset} of the region. */
  public boolean write(Descriptor descriptor, Peer peer, RemoteRegion region, long offset) {
    return reaches(peer) && noteTaken(peer, doWrite(descriptor, peer, region, offset));
  }

  /** Reads a peer's memory: from {@code offset} of the region on into the descriptor's memory. */
  public boolean read(Descriptor descriptor, Peer peer, RemoteRegion region, long offset) {
    return reaches(peer) && noteTaken(peer, doRead(descriptor, peer, region, offset));
  }

  /** Changes a peer's memory by the values in the descriptor's memory. */
  public boolean atomic(
      Descriptor descriptor, Peer peer, AtomicTarget target, AtomicOperation atomic) {
    return reaches(peer) && noteTaken(peer, doAtomic(descriptor, peer, target, atomic));
  }

  /** As {@link #atomic}; what was there before goes into {@code result}. */
  public boolean fetch(
      Descriptor descriptor,
      Peer peer,
      AtomicTarget target,
      AtomicOperation atomic,
      MemoryRegion result,
      long resultOffset) {
    return reaches(peer)
        && noteTaken(peer, doFetch(descriptor, peer, target, atomic, result, resultOffset));
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
    return reaches(peer)
        && noteTaken(
            peer,
            doCompareAndSwap(
                descriptor, peer, target, compare, compareOffset, result, resultOffset));
  }
}
