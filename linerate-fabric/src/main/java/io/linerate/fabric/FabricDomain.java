package io.linerate.fabric;

import io.linerate.fabric.host.Range;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A provider, opened: what its endpoints share. It is one thread's, and so is everything that it
 * makes; a call from another thread throws. {@link #handOver} gives it to another.
 *
 * <p>Closing it ends all that it has made.
 */
public final class FabricDomain implements AutoCloseable {
  private static final int COMPLETIONS_AT_MOST = 1 << 16;
  private static final int ENTRIES_AT_MOST = 1 << 20;

  private final Ownership ownership = new Ownership();
  private final Arena arena = Arena.ofShared();
  private final FabricAddress address;
  private final DomainOptions options;
  private final NativeDomain nativeDomain;
  private final NativeClosing nativeClosing;
  private final @Nullable PeerTable peers;
  private final @Nullable PeerWatch watch;
  private final @Nullable ConnectionSetup connections;
  private final DescriptorTable descriptors;
  private final Registrations registrations = new Registrations(this);
  private final OpenParts parts = new OpenParts(this);
  private @Nullable LinkedDomains linkedDomains;
  private boolean isClosed;

  private FabricDomain(FabricAddress address, DomainOptions options) {
    this.address = address;
    this.options = options;
    nativeDomain = NativeDomain.open(this, address, options);
    nativeClosing = nativeDomain.closing();
    try {
      boolean isConnected = provider().kind() == EndpointKind.CONNECTED;
      peers = isConnected ? null : new PeerTable(this, nativeDomain.addressVector());
      connections =
          isConnected
              ? new ConnectionSetup(this, new EventQueue(this, arena, nativeDomain.eventQueue()))
              : null;
      descriptors = new DescriptorTable(this, options.descriptors());
    } catch (RuntimeException e) {
      boolean _ = nativeDomain.close();
      arena.close();
      throw e;
    }
    watch = peers == null ? null : new PeerWatch(this, peers, parts.receivers());
    if (address.isSharedMemory()) {
      LinkedDomains.opened(this);
    }
    NativeWatch.add(nativeDomain.calls());
  }

  /** As {@link #open(FabricAddress, DomainOptions)}, with the default options. */
  public static FabricDomain open(FabricAddress address) {
    return open(address, DomainOptions.DEFAULT);
  }

  /**
   * Opens a provider.
   *
   * @param address of this side. For providers with connections it only chooses the device, and may
   *     be the peer's
   * @throws FabricException if libfabric or the provider is missing, or cannot do what is asked for
   */
  public static FabricDomain open(FabricAddress address, DomainOptions options) {
    return new FabricDomain(address, options);
  }

  // ---- what it is ----

  /** What its provider can do. Any thread may ask. */
  public ProviderInfo provider() {
    return nativeDomain.provider();
  }

  /** Where it was opened. Any thread may ask. */
  public FabricAddress address() {
    return address;
  }

  DomainOptions options() {
    return options;
  }

  long handle() {
    requireOpen();
    return nativeDomain.handle();
  }

  NativeDomain nativeDomain() {
    return nativeDomain;
  }

  private PeerTable peers() {
    requireOpen();
    PeerTable there = peers;
    if (there == null) {
      throw new FabricException(
          "the provider has connections, not peers: provider=%s; connect or listen"
              .formatted(provider().name()));
    }
    return there;
  }

  long addressVector() {
    return peers().handle();
  }

  ConnectionSetup connections() {
    ConnectionSetup there = connections;
    if (there == null) {
      throw new FabricException(
          "the provider has no connections: provider=%s; use an open endpoint and peers"
              .formatted(provider().name()));
    }
    return there;
  }

  /** Gives it, and all that it has made, to another thread, which has to learn of it safely. */
  public void handOver(Thread to) {
    requireOpen();
    ownership.handOver(Objects.requireNonNull(to));
  }

  /** Gives it, and all that it has made, to no thread: who {@link #take takes} it has it. */
  public void release() {
    ownership.release();
  }

  /**
   * Takes what was {@link #release released}: so that threads that a lock keeps apart have it in
   * turn.
   *
   * @throws FabricException if a thread has it
   */
  public void take() {
    ownership.take();
  }

  /**
   * Checks that the caller is the domain's thread.
   *
   * @throws FabricException if it is not
   */
  public void requireOwner() {
    ownership.check();
  }

  boolean isClosed() {
    return isClosed;
  }

  void requireOpen() {
    requireOwner();
    if (isClosed) {
      throw new FabricException("a fabric domain is closed: address=" + address);
    }
    if (!nativeClosing.stuckAt().isEmpty()) {
      throw new FabricException(
          "a fabric domain is stuck: address=%s, closing=%s; open another"
              .formatted(address, nativeClosing.stuckAt()));
    }
  }

  // ---- memory ----

  /** Memory that can be registered, freed when the arena or the domain is closed. */
  public RegionArena arena() {
    requireOpen();
    return registrations.arena();
  }

  /**
   * Registers memory of an {@link #arena} of this domain, or of {@link Arena#global}: what cannot
   * be freed while it is registered.
   *
   * @param rights that peers have
   * @throws FabricException if the memory could be freed by others, or the provider refuses
   */
  public MemoryRegion register(MemorySegment memory, Access... rights) {
    requireOpen();
    return registrations.register(memory, rights);
  }

  /** Whether {@link #register} takes memory: whether it stays as long as it is registered. */
  public boolean canRegister(MemorySegment memory) {
    requireOpen();
    return registrations.accepts(memory);
  }

  // ---- what it makes ----

  /** A descriptor; closing it gives it back. */
  public Descriptor descriptor() {
    requireOpen();
    return descriptors.take();
  }

  /** A queue that threads wait for adaptively, with room for all that its endpoints post. */
  public CompletionQueue completionQueue() {
    return completionQueue(
        Math.clamp(2 * (provider().sendQueue() + provider().receiveQueue()), 64, 1 << 16),
        Waiting.ADAPTIVE);
  }

  /**
   * A completion queue.
   *
   * @param entries completions it has room for, 1 to 1,048,576: as many descriptors can be posted
   */
  public CompletionQueue completionQueue(int entries, Waiting waiting) {
    requireOpen();
    Range.require("entries", entries, 1, ENTRIES_AT_MOST);
    return parts.add(new CompletionQueue(this, arena, entries, waiting));
  }

  /**
   * An array for completions; its memory is freed when the domain is closed.
   *
   * @param capacity 1 to 65,536
   */
  public Completions completions(int capacity) {
    requireOpen();
    Range.require("capacity", capacity, 1, COMPLETIONS_AT_MOST);
    return new Completions(this, arena, capacity);
  }

  /**
   * Keeps memory registered that a program passes again and again.
   *
   * @param regions at most, 1 or more
   * @param bytes of all regions together at most, 1 or more
   */
  public RegistrationCache registrationCache(int regions, long bytes) {
    requireOpen();
    return new RegistrationCache(this, regions, bytes);
  }

  /** Descriptors for memory that a program has not registered. */
  public TransferBufferPool transferBuffers(TransferBufferOptions options) {
    requireOpen();
    return new TransferBufferPool(this, options);
  }

  /**
   * A counter of operations.
   *
   * @throws FabricException if the provider has none
   */
  public FabricCounter counter() {
    requireOpen();
    return parts.add(new FabricCounter(this));
  }

  /**
   * Memory for messages of several endpoints.
   *
   * @throws FabricException if the provider has no {@link ProviderInfo#sharedReceiveContexts}
   */
  public SharedReceiver sharedReceiver(CompletionQueue queue) {
    requireOpen();
    if (provider().sharedReceiveContexts() == 0) {
      throw new FabricException(
          "the provider has no shared receive contexts: provider=%s; post to each endpoint"
              .formatted(provider().name()));
    }
    queue.requireFor(this);
    return parts.add(new SharedReceiver(this, queue));
  }

  /** As {@link #endpoint(Bindings)}, with a completion queue alone. */
  public OpenEndpoint endpoint(CompletionQueue queue) {
    return endpoint(Bindings.of(queue));
  }

  /** An endpoint without connections, at the domain's address. */
  public OpenEndpoint endpoint(Bindings bindings) {
    requireOpen();
    if (connections != null) {
      throw new FabricException(
          "the provider has connections only: provider=%s; connect or listen, or use %s+rxm"
              .formatted(provider().name(), provider().name()));
    }
    bindings.requireFor(this);
    return parts.add(OpenEndpoint.open(this, bindings));
  }

  /** As {@link #connect(FabricAddress, Bindings, byte...)}, with a completion queue alone. */
  public Connection connect(FabricAddress remote, CompletionQueue queue) {
    return connect(remote, Bindings.of(queue));
  }

  /**
   * Begins a connection.
   *
   * @param data at most {@link #connectionDataBytes}, which the peer sees with the request
   */
  public Connection connect(FabricAddress remote, Bindings bindings, byte... data) {
    requireOpen();
    return connections().connect(remote, bindings, data);
  }

  /**
   * How many bytes can go with a request for a connection to a peer: at most 256, and fewer where
   * the provider has less, as verbs.
   */
  public int connectionDataBytes(FabricAddress remote) {
    requireOpen();
    return connections().dataBytes(remote);
  }

  /** Takes requests for connections at an address of this side. */
  public Listener listen(FabricAddress local) {
    requireOpen();
    return connections().listen(local);
  }

  // ---- peers ----

  /** A peer by its address, for open endpoints; the same one for the same address. */
  public Peer peer(FabricAddress remote) {
    return peers().add(remote, options);
  }

  /** A peer by its name: what its {@link OpenEndpoint#name} has told, and a message has brought. */
  public Peer peer(byte[] name) {
    return peers().add(name);
  }

  @Nullable Peer peer(long number) {
    return peers == null ? null : peers.find(number);
  }

  /**
   * Forgets a peer, for all who have asked for it: nothing is sent to it any more. What is posted
   * for it goes on. shm keeps its place of 256 until the domain is closed.
   */
  public void remove(Peer peer) {
    PeerTable there = peers();
    if (peer.domain() == this) {
      there.remove(peer);
    }
  }

  boolean resolve(Peer peer) {
    return peers().resolve(peer);
  }

  /** A peer was found to be lost. */
  void lost(Peer peer) {
    if (watch != null) {
      watch.lost(peer);
    }
  }

  // ---- for its parts ----

  /**
   * Takes events of connections and checks peers: called now and then, by whoever polls or waits.
   */
  void maintain() {
    if (connections != null && !connections.events().isIdle()) {
      connections.events().poll();
    }
    if (watch != null) {
      watch.checkNowAndThen();
    }
  }

  /** How often its peers were looked after. */
  int ticks() {
    return watch == null ? 0 : watch.ticks();
  }

  DescriptorTable descriptors() {
    return descriptors;
  }

  /** Whose it is; null where a lock says so. */
  @Nullable Thread owner() {
    return ownership.owner();
  }

  /** Whether a peer was lost long ago, by the name of its endpoint of shm. Any thread may ask. */
  boolean isLongLost(String name) {
    return peers != null && peers.isLongLost(name);
  }

  /** Of its data path. */
  CallCount calls() {
    return nativeDomain.calls();
  }

  /** Closes what it has of its provider's. */
  NativeClosing nativeClosing() {
    return nativeClosing;
  }

  /** What it has made that is open. */
  OpenParts parts() {
    return parts;
  }

  Registrations registrations() {
    return registrations;
  }

  @Nullable LinkedDomains linkedDomains() {
    return linkedDomains;
  }

  void linkedDomains(LinkedDomains group) {
    linkedDomains = group;
  }

  /** What the provider has not returned from closing; "" where all is well. */
  public String stuckAt() {
    requireOwner();
    return nativeClosing.stuckAt();
  }

  /** Ends all that it has made, then itself. */
  @Override
  public void close() {
    requireOwner();
    if (isClosed) {
      return;
    }
    if (connections != null) {
      connections.closeListeners();
    }
    parts.closeReceivers();
    isClosed = true;
    NativeWatch.remove(nativeDomain.calls());
    if (address.isSharedMemory()) {
      LinkedDomains.close(this, this::closeAll);
    } else {
      closeAll();
    }
  }

  /** Ends what the provider has: on whatever thread, but then no other uses it any more. */
  private void closeAll() {
    nativeClosing.closeKept();
    if (connections != null) {
      connections.end();
    }
    registrations.end();
    parts.end();
    if (nativeDomain.close()) { // Otherwise the provider still has memory of it.
      registrations.free();
      descriptors.free();
      arena.close();
    }
  }
}
