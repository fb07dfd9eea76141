package io.linerate.fabric;

import io.linerate.fabric.host.PeerName;
import io.linerate.fabric.host.PeerProcess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A provider, opened: what its endpoints share. It is one thread's, and so is everything that it
 * makes; a call from another thread throws. {@link #handOver} gives it to another.
 *
 * <p>Closing it ends all that it has made.
 */
public final class FabricDomain implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(FabricDomain.class.getName());
  private static final int FI_OPT_MIN_MULTI_RECV = 0;
  private static final long LOOK_NS = 200_000_000;
  private static final int TICKS_TO_ANSWER = 10;
  private static final int LEAST_MULTI_RECEIVE = 4096;

  private final Ownership ownership = new Ownership();
  private final Arena arena = Arena.ofShared();
  private final FabricAddress address;
  private final DomainOptions options;
  private final long info;
  private final ProviderInfo provider;
  private final long fabric;
  private final long handle;
  private final long addressVector;
  private final @Nullable EventQueue events;
  private final DescriptorTable descriptors;
  private final List<Receiver> receivers = new ArrayList<>();
  private final List<Listener> listeners = new ArrayList<>();
  private final List<CompletionQueue> queues = new ArrayList<>();
  private final List<FabricCounter> counters = new ArrayList<>();
  private final List<MemoryRegion> regions = new ArrayList<>();
  private final List<RegionArena> arenas = new ArrayList<>();
  private final List<@Nullable Peer> peers = new ArrayList<>();
  private long lastLook = System.nanoTime();
  private int ticks;
  private long keys;
  private int leastMultiReceive = LEAST_MULTI_RECEIVE;
  private final List<Long> keptEndpoints = new ArrayList<>();
  private @Nullable Neighbours neighbours;
  private boolean isClosed;
  private String stuckAt = "";

  private FabricDomain(FabricAddress address, DomainOptions options, long info) {
    this.address = address;
    this.options = options;
    this.info = info;
    provider = ProviderInfo.of(info);
    String what = "a fabric domain cannot be opened: address=" + address + ",";
    fabric = NativeObject.open(what, FabricFunction.FABRIC, info);
    handle = NativeObject.open(what, FabricFunction.DOMAIN, fabric, info);
    boolean isConnected = provider.kind() == EndpointKind.CONNECTED;
    if (address.isSharedMemory()) {
      Neighbours.opened(this);
    }
    addressVector =
        isConnected
            ? 0
            : NativeObject.open(what, FabricFunction.ADDRESS_VECTOR, handle, options.peers());
    events = isConnected ? new EventQueue(this, arena) : null;
    descriptors = new DescriptorTable(this, options.descriptors());
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
    } catch (FabricException e) {
      FabricFunction.FREE_INFO.call(info);
      throw e;
    }
  }

  // ---- what it is ----

  /** What its provider can do. */
  public ProviderInfo provider() {
    return provider;
  }

  /** Where it was opened. */
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

  long addressVector() {
    return addressVector;
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
    ownership.handOver(to);
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

  private void requireOpen() {
    check();
    if (isClosed) {
      throw new FabricException("a fabric domain is closed: address=" + address);
    }
    if (!stuckAt.isEmpty()) {
      throw new FabricException(
          "a fabric domain is stuck: address=%s, closing=%s; open another"
              .formatted(address, stuckAt));
    }
  }

  // ---- memory ----

  /** Memory that can be registered, freed when the arena or the domain is closed. */
  public RegionArena arena() {
    requireOpen();
    RegionArena made = new RegionArena(this);
    arenas.add(made);
    return made;
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
    requireLasting(memory);
    Set<Access> all = EnumSet.noneOf(Access.class);
    all.addAll(List.of(rights));
    MemoryRegion region = new MemoryRegion(this, memory, all, ++keys);
    regions.add(region);
    return region;
  }

  private void requireLasting(MemorySegment memory) {
    if (memory.byteSize() == 0 || !memory.isNative()) {
      throw new FabricException(
          "memory cannot be registered: length=%d, native=%s; allocate some in an arena of the domain"
              .formatted(memory.byteSize(), memory.isNative()));
    }
    boolean isLasting = memory.scope().equals(Arena.global().scope());
    for (RegionArena each : arenas) {
      isLasting |= memory.scope().equals(each.scope());
    }
    if (!isLasting) {
      throw new FabricException(
          "memory could be freed while it is registered: length=%d; allocate it in an arena of the domain, or the global one"
              .formatted(memory.byteSize()));
    }
  }

  void requireUnused(MemoryRegion region) {
    descriptors.forEachPosted(descriptor -> {
      if (descriptor.names(region)) {
        throw new FabricException(
            "a memory region is in use: length=%d, operation=%s; wait for its completion, or close the endpoint"
                .formatted(region.length(), descriptor.operation()));
      }
    });
  }

  void closeRegions(MemorySegment.Scope scope) {
    List<MemoryRegion> inScope =
        regions.stream().filter(region -> region.segment().scope().equals(scope)).toList();
    inScope.forEach(this::requireUnused);
    inScope.forEach(MemoryRegion::close);
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
   * @param entries completions it has room for: as many descriptors can be posted
   */
  public CompletionQueue completionQueue(int entries, Waiting waiting) {
    requireOpen();
    CompletionQueue queue = new CompletionQueue(this, arena, entries, waiting);
    queues.add(queue);
    return queue;
  }

  /** An array for completions. */
  public Completions completions(int capacity) {
    requireOpen();
    return new Completions(this, arena, capacity);
  }

  public FabricCounter counter() {
    requireOpen();
    FabricCounter counter = new FabricCounter(this);
    counters.add(counter);
    return counter;
  }

  /** Memory for messages of several endpoints. */
  public SharedReceiver sharedReceiver(CompletionQueue queue) {
    requireOpen();
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
    long source = Providers.source(local, options);
    try {
      Listener listener = new Listener(this, local, source);
      listeners.add(listener);
      return listener;
    } finally {
      FabricFunction.FREE_INFO.call(source);
    }
  }

  // ---- peers ----

  /** A peer by its address, for open endpoints. */
  public Peer peer(FabricAddress remote) {
    requireOpen();
    try (Arena call = Arena.ofConfined()) {
      if (remote.isSharedMemory()) {
        return insert(
            call.allocateFrom(remote.providerText()),
            remote.toString(),
            PeerProcess.ofSharedMemory(remote.host()));
      }
      long destination = Providers.destination(remote, options);
      try {
        return insert(FabricFunction.DESTINATION.callLong(destination), remote.toString(), null);
      } finally {
        FabricFunction.FREE_INFO.call(destination);
      }
    }
  }

  /** A peer by its name: what its {@link OpenEndpoint#name} has told, and a message has brought. */
  public Peer peer(byte[] name) {
    requireOpen();
    if (name.length < provider.addressBytes() && !address.isSharedMemory()) {
      throw new FabricException(
          "the name of a peer is too short: length=%d, expected=%d; send all of it"
              .formatted(name.length, provider.addressBytes()));
    }
    try (Arena call = Arena.ofConfined()) {
      MemorySegment memory = call.allocate(name.length + 1L);
      MemorySegment.copy(name, 0, memory, ValueLayout.JAVA_BYTE, 0, name.length);
      if (address.isSharedMemory()) {
        String text = memory.getString(0);
        return insert(
            memory, text, PeerProcess.ofSharedMemory(text.substring(text.lastIndexOf('/') + 1)));
      }
      return insert(memory.address(), PeerName.of(name), null);
    }
  }

  private Peer insert(MemorySegment memory, String name, @Nullable PeerProcess process) {
    return insert(memory.address(), name, process);
  }

  private Peer insert(long memory, String name, @Nullable PeerProcess process) {
    if (events != null) {
      throw new FabricException(
          "the provider has connections, not peers: provider=%s; connect or listen"
              .formatted(provider.name()));
    }
    long number =
        NativeObject.open(
            "a peer cannot be reached: peer=" + name + ",",
            FabricFunction.PEER_INSERT,
            addressVector,
            memory);
    Peer peer = new Peer(this, number, name, process);
    if (address.isSharedMemory()) {
      Neighbours.met(this, peer.sharedName());
    }
    while (peers.size() <= number) {
      peers.add(null);
    }
    peers.set((int) number, peer);
    return peer;
  }

  @Nullable Peer peer(long number) {
    return number >= 0 && number < peers.size() ? peers.get((int) number) : null;
  }

  /** Forgets a peer: nothing is sent to it any more. */
  public void remove(Peer peer) {
    requireOpen();
    if (peer.domain() == this && peers.get((int) peer.number()) == peer) {
      peers.set((int) peer.number(), null);
      FabricFunction.PEER_REMOVE.call(addressVector, peer.number());
    }
  }

  // ---- for its parts ----

  /** Looks after connections and peers: now and then, by whoever polls or waits. */
  void look() {
    EventQueue there = events;
    if (there != null && !there.isIdle()) {
      there.poll();
    }
    long now = System.nanoTime();
    if (now - lastLook < LOOK_NS) {
      return;
    }
    lastLook = now;
    ticks++;
    if (address.isSharedMemory()) {
      descriptors.forEachPosted(this::endUnanswered);
    }
    for (Peer peer : peers) {
      if (peer != null && peer.findLost()) {
        lost(peer, peer.lost());
      }
    }
  }

  /** How often it has looked after its peers: every 200 ms while somebody polls. */
  int ticks() {
    return ticks;
  }

  /** shm leaves an operation posted for good whose key the peer does not have. */
  private void endUnanswered(Descriptor descriptor) {
    Receiver receiver = descriptor.receiver();
    if (receiver != null
        && descriptor.operation().isRemote()
        && !descriptor.isAbandoned()
        && ticks - descriptor.postedAt() > TICKS_TO_ANSWER) {
      receiver
          .queue()
          .abandon(
              descriptor,
              FabricError.of(
                  FabricError.Kind.UNANSWERED,
                  "the peer has not answered for 2 s: operation=%s, peer=%s; it does not poll, or has no memory of that key"
                      .formatted(descriptor.operation(), descriptor.peer())));
    }
  }

  private void lost(Peer peer, @Nullable FabricError error) {
    if (error == null) {
      return;
    }
    descriptors.forEachPosted(descriptor -> {
      Receiver receiver = descriptor.receiver();
      if (descriptor.peer() == peer && receiver != null && !descriptor.isAbandoned()) {
        receiver.queue().abandon(descriptor, error);
      }
    });
    for (Receiver receiver : receivers) {
      receiver.queue().tell(receiver, error);
    }
  }

  /**
   * How little memory may be left of what was posted for several messages before it comes back, for
   * endpoints that are opened later; 4,096 bytes if nothing is said.
   */
  public void leastMultiReceive(int bytes) {
    requireOpen();
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
    receivers.remove(part);
    listeners.remove(part);
    queues.remove(part);
    counters.remove(part);
    regions.remove(part);
    arenas.remove(part);
  }

  /**
   * Closes an object of the provider's. Endpoints may never return: then nothing of the domain can
   * be used any more, and what is left of it stays until the process ends.
   */
  void closeNative(String what, long object) {
    if (!stuckAt.isEmpty()) {
      return;
    }
    if (!what.equals("endpoint")) {
      FabricFunction.CLOSE.call(object);
    } else if (!NativeClose.isDone(what, object)) {
      stuckAt = what;
      LOG.log(
          System.Logger.Level.WARNING,
          "a provider does not return from closing an object: provider={0}, object={1}, waited=2 s; the domain is not closed before the program ends",
          provider.name(),
          what);
    }
  }

  /**
   * Closes an endpoint, or keeps it until all domains of this process are closed that it has met.
   */
  void closeEndpoint(long endpoint, boolean isKept) {
    if (isKept) {
      keptEndpoints.add(endpoint);
    } else {
      closeNative("endpoint", endpoint);
    }
  }

  @Nullable Neighbours neighbours() {
    return neighbours;
  }

  void neighbours(Neighbours group) {
    neighbours = group;
  }

  /** What the provider has not returned from closing; "" where all is well. */
  public String stuckAt() {
    return stuckAt;
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
    if (address.isSharedMemory()) {
      Neighbours.close(this, this::closeAll);
    } else {
      closeAll();
    }
  }

  /** Ends what the provider has: on whatever thread, but then no other uses it any more. */
  private void closeAll() {
    keptEndpoints.forEach(endpoint -> closeNative("endpoint", endpoint));
    regions.forEach(MemoryRegion::end);
    counters.forEach(FabricCounter::end);
    queues.forEach(CompletionQueue::end);
    if (addressVector != 0) {
      closeNative("address vector", addressVector);
    }
    EventQueue there = events;
    if (there != null) {
      there.close();
    }
    closeNative("domain", handle);
    closeNative("fabric", fabric);
    FabricFunction.FREE_INFO.call(info);
    if (stuckAt.isEmpty()) { // Otherwise the provider still has that memory.
      arenas.forEach(RegionArena::end);
      descriptors.free();
      arena.close();
    }
  }
}
