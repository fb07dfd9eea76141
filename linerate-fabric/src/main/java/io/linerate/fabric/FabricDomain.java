package io.linerate.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A provider, opened: what its endpoints share. It is one thread's, and so is everything that it
 * makes; a call from another thread throws. {@link #handOver} gives it to another.
 *
 * <p>Closing it ends all that it has made.
 */
public final class FabricDomain implements AutoCloseable {
  private static final int FI_OPT_MIN_MULTI_RECV = 0;
  private static final int LEAST_MULTI_RECEIVE = 4096;

  private static final int COMPLETIONS_AT_MOST = 1 << 16;
  private static final int ENTRIES_AT_MOST = 1 << 20;

  private final Ownership ownership = new Ownership();
  private final Arena arena = Arena.ofShared();
  private final FabricAddress address;
  private final DomainOptions options;
  private final long info;
  private final ProviderInfo provider;
  private final long fabric;
  private final long handle;
  private final @Nullable PeerTable peers;
  private final @Nullable EventQueue events;
  private final DescriptorTable descriptors;
  private final Registrations registrations = new Registrations(this);
  private final List<Receiver> receivers = new ArrayList<>();
  private final List<Listener> listeners = new ArrayList<>();
  private final List<NativeListener> nativeListeners = new ArrayList<>();
  private final List<CompletionQueue> queues = new ArrayList<>();
  private final List<FabricCounter> counters = new ArrayList<>();
  private final @Nullable PeerWatch watch;
  private final @Nullable Spill spill;
  private final NativeParts parts;
  private final NativeCalls calls;
  private int leastMultiReceive = LEAST_MULTI_RECEIVE;
  private @Nullable Neighbours neighbours;
  private boolean isClosed;

  private FabricDomain(FabricAddress address, DomainOptions options, long info) {
    this.address = address;
    this.options = options;
    this.info = info;
    provider = ProviderInfo.of(info);
    parts = new NativeParts(provider.name());
    calls = new NativeCalls(this);
    String what = "a fabric domain cannot be opened: address=" + address + ",";
    List<Long> opened = new ArrayList<>();
    try {
      fabric = NativeObject.open(what, FabricFunction.FABRIC, info);
      opened.addFirst(fabric);
      handle = NativeObject.open(what, FabricFunction.DOMAIN, fabric, info);
      opened.addFirst(handle);
      boolean isConnected = provider.kind() == EndpointKind.CONNECTED;
      peers = isConnected ? null : new PeerTable(this, addressVector(what));
      opened.addFirst(peers == null ? 0 : peers.handle());
      events = isConnected ? new EventQueue(this, arena) : null;
      opened.addFirst(events == null ? 0 : events.handle());
      descriptors = new DescriptorTable(this, options.descriptors());
      spill = address.isSharedMemory() || address.isLayered() ? Spill.open() : null;
    } catch (RuntimeException e) {
      opened.stream().filter(object -> object != 0).forEach(FabricFunction.CLOSE::call);
      arena.close();
      throw e;
    }
    watch = peers == null ? null : new PeerWatch(this, peers, receivers);
    if (address.isSharedMemory()) {
      Neighbours.opened(this);
    }
    NativeWatch.add(calls);
  }

  private long addressVector(String what) {
    return NativeObject.open(what, FabricFunction.ADDRESS_VECTOR, handle, options.peers());
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
    FabricLibrary.requireAvailable();
    long info = Providers.find(address, options);
    try {
      return new FabricDomain(address, options, info);
    } catch (RuntimeException e) {
      FabricFunction.FREE_INFO.call(info);
      throw e;
    }
  }

  // ---- what it is ----

  /** What its provider can do. Any thread may ask. */
  public ProviderInfo provider() {
    return provider;
  }

  /** Where it was opened. Any thread may ask. */
  public FabricAddress address() {
    return address;
  }

  long handle() {
    requireOpen();
    return handle;
  }

  long fabric() {
    return fabric;
  }

  long info() {
    return info;
  }

  /** For what does not fit into memory that is posted; null where the provider sees to that. */
  @Nullable Spill spill() {
    return spill;
  }

  private PeerTable peers() {
    requireOpen();
    PeerTable there = peers;
    if (there == null) {
      throw new FabricException(
          "the provider has connections, not peers: provider=%s; connect or listen"
              .formatted(provider.name()));
    }
    return there;
  }

  long addressVector() {
    return peers().handle();
  }

  EventQueue events() {
    EventQueue there = events;
    if (there == null) {
      throw new FabricException(
          "the provider has no connections: provider=%s; use an open endpoint and peers"
              .formatted(provider.name()));
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

  void check() {
    ownership.check();
  }

  /**
   * Checks that the caller is the domain's thread.
   *
   * @throws FabricException if it is not
   */
  public void requireOwner() {
    check();
  }

  boolean isClosed() {
    return isClosed;
  }

  void requireOpen() {
    check();
    if (isClosed) {
      throw new FabricException("a fabric domain is closed: address=" + address);
    }
    if (!parts.stuckAt().isEmpty()) {
      throw new FabricException(
          "a fabric domain is stuck: address=%s, closing=%s; open another"
              .formatted(address, parts.stuckAt()));
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

  void close(RegionArena closing) {
    registrations.close(closing, receivers, parts.hasKeptEndpoints());
  }

  /** Whether a posted descriptor names it. */
  boolean isUsed(MemoryRegion region) {
    return descriptors.isPostedOn(region);
  }

  void requireUnused(MemoryRegion region) {
    descriptors.forEachPosted(descriptor -> {
      if (descriptor.names(region)) {
        throw new FabricException(
            "a memory region is in use: length=%d, operation=%s; wait for its completion, or close the endpoint"
                .formatted(region.length(), descriptor.currentOperation()));
      }
    });
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
        Math.clamp(2 * (provider.sendQueue() + provider.receiveQueue()), 64, 1 << 16),
        Waiting.ADAPTIVE);
  }

  /**
   * A completion queue.
   *
   * @param entries completions it has room for, 1 to 1,048,576: as many descriptors can be posted
   */
  public CompletionQueue completionQueue(int entries, Waiting waiting) {
    requireOpen();
    DomainOptions.require("entries", entries, 1, ENTRIES_AT_MOST);
    CompletionQueue queue = new CompletionQueue(this, arena, entries, waiting);
    queues.add(queue);
    return queue;
  }

  /**
   * An array for completions; its memory is freed when the domain is closed.
   *
   * @param capacity 1 to 65,536
   */
  public Completions completions(int capacity) {
    requireOpen();
    DomainOptions.require("capacity", capacity, 1, COMPLETIONS_AT_MOST);
    return new Completions(this, arena, capacity);
  }

  /**
   * A counter of operations.
   *
   * @throws FabricException if the provider has none
   */
  public FabricCounter counter() {
    requireOpen();
    FabricCounter counter = new FabricCounter(this);
    counters.add(counter);
    return counter;
  }

  /**
   * Memory for messages of several endpoints.
   *
   * @throws FabricException if the provider has no {@link ProviderInfo#sharedReceiveContexts}
   */
  public SharedReceiver sharedReceiver(CompletionQueue queue) {
    requireOpen();
    if (provider.sharedReceiveContexts() == 0) {
      throw new FabricException(
          "the provider has no shared receive contexts: provider=%s; post to each endpoint"
              .formatted(provider.name()));
    }
    queue.requireFor(this);
    SharedReceiver receiver = new SharedReceiver(this, queue);
    receivers.add(receiver);
    return receiver;
  }

  /** As {@link #endpoint(Bindings)}, with a completion queue alone. */
  public OpenEndpoint endpoint(CompletionQueue queue) {
    return endpoint(Bindings.of(queue));
  }

  /** An endpoint without connections, at the domain's address. */
  public OpenEndpoint endpoint(Bindings bindings) {
    requireOpen();
    if (events != null) {
      throw new FabricException(
          "the provider has connections only: provider=%s; connect or listen, or use %s+rxm"
              .formatted(provider.name(), provider.name()));
    }
    bindings.requireFor(this);
    OpenEndpoint endpoint = OpenEndpoint.open(this, bindings);
    receivers.add(endpoint);
    return endpoint;
  }

  /** As {@link #connect(FabricAddress, Bindings, byte...)}, with a completion queue alone. */
  public Connection connect(FabricAddress remote, CompletionQueue queue) {
    return connect(remote, Bindings.of(queue));
  }

  /**
   * Begins a connection.
   *
   * @param data at most 256 bytes, which the peer sees with the request
   */
  public Connection connect(FabricAddress remote, Bindings bindings, byte... data) {
    requireOpen();
    events();
    Connection.requireData(data);
    requireProvider(remote);
    bindings.requireFor(this);
    long destination = Providers.destination(remote, options);
    try (Arena call = Arena.ofConfined()) {
      Connection connection = Connection.open(this, bindings, destination, remote);
      int result =
          FabricFunction.CONNECT.call(
              connection.handle(),
              destination,
              ConnectionRequest.copy(call, data).address(),
              data.length);
      if (result != 0) {
        connection.close();
        throw FabricException.of("cannot connect: address=" + remote + ",", result);
      }
      receivers.add(connection);
      return connection;
    } finally {
      FabricFunction.FREE_INFO.call(destination);
    }
  }

  void add(Connection accepted) {
    receivers.add(accepted);
  }

  /** Takes requests for connections at an address of this side. */
  public Listener listen(FabricAddress local) {
    requireOpen();
    events();
    requireProvider(local);
    for (NativeListener each : nativeListeners) {
      if (each.isFreeFor(local)) {
        return listen(each);
      }
    }
    long source = Providers.source(local, options);
    try {
      NativeListener made = new NativeListener(this, local, source);
      nativeListeners.add(made);
      return listen(made);
    } finally {
      FabricFunction.FREE_INFO.call(source);
    }
  }

  private Listener listen(NativeListener by) {
    Listener listener = new Listener(this, by);
    listeners.add(listener);
    return listener;
  }

  private void requireProvider(FabricAddress there) {
    if (!there.provider().equals(address.provider())) {
      throw new FabricException(
          "an address of another provider: address=%s, provider=%s; open a domain of that provider"
              .formatted(there, address.provider()));
    }
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

  boolean isKnown(Peer peer) {
    return peers().isKnown(peer);
  }

  /** A peer was found to be lost. */
  void lost(Peer peer) {
    if (watch != null) {
      watch.lost(peer);
    }
  }

  /** Whether an endpoint has anything under way to its peers. */
  boolean isSending(Receiver receiver) {
    return descriptors.isSending(receiver);
  }

  boolean isPostedFor(Peer peer) {
    return descriptors.isPostedFor(peer);
  }

  // ---- for its parts ----

  /** Looks after connections and peers: now and then, by whoever polls or waits. */
  void look() {
    EventQueue there = events;
    if (there != null && !there.isIdle()) {
      there.poll();
    }
    if (watch != null) {
      watch.look();
    }
  }

  /** How often its peers were looked after. */
  int ticks() {
    return watch == null ? 0 : watch.ticks();
  }

  /**
   * How little memory may be left of what was posted for several messages before it comes back, for
   * endpoints that are opened later; 4,096 bytes if nothing is said.
   *
   * @param bytes 1 to 2^30
   */
  public void leastMultiReceive(int bytes) {
    requireOpen();
    DomainOptions.require("leastMultiReceive", bytes, 1, 1 << 30);
    leastMultiReceive = bytes;
  }

  /** After the endpoint is enabled: shm has no place for it before, and crashes. */
  void setLeastMultiReceive(long endpoint) {
    if (options.capabilities().contains(Capability.MULTI_RECEIVE)) {
      NativeObject.check(
          "memory for several messages cannot be bounded: bytes=" + leastMultiReceive + ",",
          FabricFunction.OPTION.call(endpoint, FI_OPT_MIN_MULTI_RECV, leastMultiReceive));
    }
  }

  @Nullable Descriptor find(long context) {
    return descriptors.find(context);
  }

  void forEachPosted(Consumer<Descriptor> action) {
    descriptors.forEachPosted(action);
  }

  void giveBack(Descriptor descriptor) {
    descriptors.giveBack(descriptor);
  }

  void forget(Object part) {
    listeners.remove(part);
    queues.remove(part);
    counters.remove(part);
  }

  void forget(MemoryRegion region) {
    registrations.forget(region);
  }

  /** A receiver is closed: what waited for that can go. */
  void forget(Receiver receiver, boolean isKept) {
    receivers.remove(receiver);
    if (!isKept) {
      registrations.closed(receiver);
    }
  }

  /** Throws while an endpoint uses a part that is to be closed: the provider would lose it. */
  void requireUnbound(String what, Object part) {
    for (Receiver receiver : receivers) {
      if (receiver.uses(part)) {
        throw new FabricException(
            "%s is in use: provider=%s; close the endpoints first that are bound to it"
                .formatted(what, provider.name()));
      }
    }
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
  NativeCalls calls() {
    return calls;
  }

  /** Closes what it has of its provider's. */
  NativeParts parts() {
    return parts;
  }

  @Nullable Neighbours neighbours() {
    return neighbours;
  }

  void neighbours(Neighbours group) {
    neighbours = group;
  }

  /** What the provider has not returned from closing; "" where all is well. */
  public String stuckAt() {
    check();
    return parts.stuckAt();
  }

  /** Ends all that it has made, then itself. */
  @Override
  public void close() {
    check();
    if (isClosed) {
      return;
    }
    List.copyOf(listeners).forEach(Listener::close);
    // Endpoints before what they share.
    List.copyOf(receivers).stream()
        .filter(receiver -> receiver instanceof Endpoint)
        .forEach(Receiver::close);
    List.copyOf(receivers).forEach(Receiver::close);
    isClosed = true;
    NativeWatch.remove(calls);
    if (address.isSharedMemory()) {
      Neighbours.close(this, this::closeAll);
    } else {
      closeAll();
    }
  }

  /** Ends what the provider has: on whatever thread, but then no other uses it any more. */
  private void closeAll() {
    parts.closeKept();
    nativeListeners.forEach(each -> parts.close("listener", each.handle()));
    registrations.end();
    counters.forEach(FabricCounter::end);
    queues.forEach(CompletionQueue::end);
    if (peers != null) {
      boolean _ = parts.close("address vector", peers.handle());
    }
    if (events != null) {
      events.close();
    }
    if (parts.close("domain", handle)) {
      boolean _ = parts.close("fabric", fabric);
    }
    FabricFunction.FREE_INFO.call(info);
    if (parts.stuckAt().isEmpty()) { // Otherwise the provider still has that memory.
      registrations.free();
      descriptors.free();
      if (spill != null) {
        spill.free();
      }
      arena.close();
    }
  }
}
