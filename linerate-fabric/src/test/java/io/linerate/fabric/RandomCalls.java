package io.linerate.fabric;

import io.linerate.core.config.ConfigException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * Calls everything there is, in any order, with whatever it has: open and closed, its own and
 * another domain's, numbers in range and far out of it. {@link RandomPosts} has what is posted,
 * {@link RandomObjects} what is opened and closed.
 */
final class RandomCalls implements AutoCloseable {
  static final int KEPT = 32;
  private static final long[] NUMBERS = {
    0,
    1,
    -1,
    2,
    7,
    8,
    63,
    64,
    65,
    4096,
    65_536,
    1 << 20,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Long.MAX_VALUE - 63,
    1L << 47,
    0x5555_5555_5555_5555L
  };

  final SplittableRandom random;
  final String provider;
  final boolean isOpen;
  final List<FabricDomain> domains = new ArrayList<>();
  final List<FabricAddress> addresses = new ArrayList<>();
  final List<CompletionQueue> queues = new ArrayList<>();
  final List<Completions> completions = new ArrayList<>();
  final List<RegionArena> arenas = new ArrayList<>();
  final List<MemoryRegion> regions = new ArrayList<>();
  final List<RemoteRegion> remotes = new ArrayList<>();
  final List<Descriptor> descriptors = new ArrayList<>();
  final List<Receiver> receivers = new ArrayList<>();
  final List<Peer> peers = new ArrayList<>();
  final List<FabricCounter> counters = new ArrayList<>();
  final List<Listener> listeners = new ArrayList<>();
  private final List<ConnectionRequest> requests = new ArrayList<>();
  final List<byte[]> names = new ArrayList<>();
  final List<FabricDomain> all = new ArrayList<>();
  private final List<Runnable> calls = new ArrayList<>();
  final RandomPosts posts;
  private final RandomObjects objects;
  FabricDomain focus;

  /** Calls that were made, refused, and completions that came without an error. */
  int made;

  int refused;
  int completed;

  RandomCalls(String provider, long seed) {
    this.provider = provider;
    random = new SplittableRandom(seed);
    posts = new RandomPosts(this);
    objects = new RandomObjects(this);
    isOpen = FabricAddresses.free(provider).kind() == EndpointKind.OPEN;
    for (int i = 0; i < 3; i++) {
      objects.openDomain();
    }
    focus = any(domains);
    often(40, posts::post);
    often(30, this::poll);
    often(6, this::listenAndConnect);
    often(1, isOpen ? objects::open : this::connect);
    often(12, this::describe);
    often(3, this::register);
    often(2, objects::open);
    often(2, objects::close);
    often(1, objects::replaceDomain);
  }

  private void often(int times, Runnable call) {
    for (int i = 0; i < times; i++) {
      calls.add(call);
    }
  }

  /** One call: what it does, or that it is refused, is all that may happen. */
  void step() {
    focus = any(domains);
    try {
      any(calls).run();
      made++;
    } catch (FabricException
        | ConfigException
        | IllegalArgumentException
        | IndexOutOfBoundsException e) {
      refused++;
    }
  }

  // ---- what there is ----

  <T> T any(List<T> list) {
    if (list.isEmpty()) {
      throw new FabricException("nothing there yet: provider=" + provider + "; go on");
    }
    return list.get(random.nextInt(list.size()));
  }

  /** Mostly one that fits, where there is one. */
  private <T> T any(List<T> list, Predicate<T> fits) {
    for (int i = random.nextInt(16) == 0 ? 0 : 3 * KEPT; i > 0; i--) {
      T one = any(list);
      if (fits.test(one)) {
        return one;
      }
    }
    return any(list);
  }

  // Of the domain that the call is about, mostly.

  CompletionQueue queue() {
    return any(queues, one -> one.domain() == focus);
  }

  Completions completions() {
    return any(completions, one -> one.domain() == focus);
  }

  MemoryRegion region() {
    return any(regions, one -> one.domain() == focus && !one.isClosed());
  }

  Descriptor descriptor() {
    return any(descriptors, one -> one.domain() == focus && !one.isHeld());
  }

  Receiver receiver() {
    return any(receivers, one -> one.domain() == focus && !one.isEnded());
  }

  Peer peer() {
    return any(peers, one -> one.domain() == focus && !one.isRemoved());
  }

  <T> T keep(List<T> list, T made) {
    if (list.size() >= (made instanceof Descriptor ? 8 * KEPT : KEPT)) {
      list.remove(random.nextInt(list.size() / 2));
    }
    list.add(made);
    return made;
  }

  long number() {
    long number = NUMBERS[random.nextInt(NUMBERS.length)];
    return random.nextInt(8) == 0 ? random.nextLong() : number;
  }

  /** Mostly within a length. */
  long within(long length) {
    return random.nextInt(8) == 0 ? number() : random.nextLong(Math.max(1, length + 1));
  }

  // ---- calls ----

  private void poll() {
    switch (random.nextInt(12)) {
      case 0 -> queue().await(descriptor(), Duration.ofNanos(random.nextInt(100_000)));
      case 1 -> count(queue().await(completions(), Duration.ofNanos(number() % 100_000)));
      case 2 -> queue().pause(within(1_000_000), random.nextInt(100_000));
      case 3 -> look(completions());
      default -> {
        for (FabricDomain domain : domains) { // Operations of both sides go on.
          focus = domain;
          Completions into = completions();
          for (int i = 0; i < 3; i++) {
            count(queue().poll(into));
            look(into);
          }
        }
      }
    }
  }

  private void count(int polled) {
    completed += polled;
  }

  private void look(Completions polled) {
    if (polled.size() == 0 && random.nextInt(16) > 0) {
      return;
    }
    int index = (int) within(polled.size() - 1);
    if (polled.error(index) == null && polled.hasMessage(index)) {
      long _ = polled.offset(index, region()) + polled.length(index) + polled.tag(index);
    }
    long _ = polled.immediate(index);
    if (polled.peer(index) != null) {
      keep(peers, java.util.Objects.requireNonNull(polled.peer(index)));
    }
    Descriptor descriptor = polled.descriptor(index);
    if (descriptor != null && polled.receiver(index) instanceof Endpoint endpoint) {
      descriptor.length();
      endpoint.isClosed();
    }
  }

  private void describe() {
    Descriptor descriptor = descriptor();
    MemoryRegion region = region();
    switch (random.nextInt(8)) {
      case 0 -> descriptor.on(region);
      case 1 -> descriptor.and(region, within(region.length()), within(64));
      case 2 -> descriptor.immediate(number());
      case 3 -> descriptor.noImmediate().fence(random.nextBoolean());
      case 4 -> descriptor.level(any(List.of(CompletionLevel.values())));
      case 5 -> descriptor.whenComplete(random.nextBoolean() ? null : this::handle);
      default -> {
        long offset = within(region.length());
        descriptor.on(
            region, offset, within(Math.min(4096, Math.max(0, region.length() - offset))));
      }
    }
  }

  /** A handler that does what else is done, without a depth that grows. */
  private void handle(Descriptor ended) {
    if (random.nextInt(4) == 0) {
      try {
        posts.post();
        queue().poll(completions());
      } catch (FabricException | IllegalArgumentException | IndexOutOfBoundsException e) {
        refused++;
      }
    }
    ended.whenComplete(null);
  }

  @SuppressWarnings("resource")
  private void register() {
    RegionArena arena = any(arenas);
    switch (random.nextInt(8)) {
      case 0 -> keep(arenas, focus.arena());
      case 1 -> keep(remotes, region().publish());
      case 2 -> keep(remotes, posts.forged());
      case 3 ->
          focus.register(any(List.of(MemorySegment.ofArray(new byte[8]), MemorySegment.NULL)));
      case 4 -> focus.register(Arena.ofAuto().allocate(64));
      case 5 -> keep(regions, focus.register(arena.allocate(256, 8).asReadOnly(), Access.values()));
      default -> {
        MemorySegment memory = arena.allocate(random.nextInt(1, 1 << 18), 8);
        Access[] rights = random.nextInt(3) == 0 ? new Access[0] : Access.values();
        keep(regions, focus.register(memory, rights));
      }
    }
  }

  private void listenAndConnect() {
    FabricDomain domain = focus;
    switch (random.nextInt(8)) {
      case 0 -> keep(listeners, domain.listen(any(addresses)));
      case 1 -> keep(receivers, domain.connect(any(addresses), queue()));
      case 2 -> any(listeners).poll().ifPresent(request -> keep(requests, request));
      case 3 -> keep(receivers, any(requests).accept(objects.bindings()));
      case 4 -> any(requests).reject(new byte[random.nextInt(300)]);
      case 5 -> keep(peers, domain.peer(any(addresses)));
      case 6 -> keep(peers, domain.peer(random.nextInt(4) == 0 ? noName() : any(names)));
      default -> {
        if (receiver() instanceof Connection connection) {
          connection.state();
          connection.error();
          connection.data();
        }
      }
    }
  }

  /** A connection from begin to end, where the peer listens. */
  private void connect() {
    Listener listener = any(listeners);
    Connection connecting = focus.connect(listener.address(), queue());
    keep(receivers, connecting);
    for (int i = 0; i < 200 && connecting.state() == Connection.State.CONNECTING; i++) {
      focus = listener.domain();
      listener.poll().ifPresent(request -> keep(receivers, request.accept(objects.bindings())));
      for (Receiver each : List.copyOf(receivers)) {
        if (each instanceof Connection connection && !connection.isClosed()) {
          connection.state();
        }
      }
    }
  }

  private byte[] noName() {
    byte[] name = any(names).clone();
    name[random.nextInt(name.length)] ^= (byte) (1 << random.nextInt(8));
    return random.nextInt(3) == 0 ? new byte[random.nextInt(400)] : name;
  }

  /** Throws unless each queue expects what is posted for it. */
  void requireConsistent() {
    for (CompletionQueue queue : queues) {
      int[] posted = {0};
      for (FabricDomain domain : domains) {
        domain
            .descriptors()
            .forEachPosted(descriptor -> {
              Receiver receiver = descriptor.receiver();
              posted[0] += receiver != null && receiver.queue() == queue ? 1 : 0;
            });
      }
      if (domains.contains(queue.domain()) && posted[0] != queue.expected()) {
        throw new AssertionError(
            "posted=%d, expected=%d, calls=%d".formatted(posted[0], queue.expected(), made));
      }
    }
  }

  @Override
  public void close() {
    all.forEach(FabricDomain::close);
  }
}
