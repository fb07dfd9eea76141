package io.linerate.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.fabric.Access;
import io.linerate.fabric.AtomicOperation;
import io.linerate.fabric.AtomicTarget;
import io.linerate.fabric.AtomicType;
import io.linerate.fabric.Bindings;
import io.linerate.fabric.Capability;
import io.linerate.fabric.CompletionLevel;
import io.linerate.fabric.CompletionQueue;
import io.linerate.fabric.Completions;
import io.linerate.fabric.Connection;
import io.linerate.fabric.ConnectionRequest;
import io.linerate.fabric.Descriptor;
import io.linerate.fabric.Destination;
import io.linerate.fabric.DomainOptions;
import io.linerate.fabric.EndpointKind;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricDomain;
import io.linerate.fabric.Listener;
import io.linerate.fabric.MemoryRegion;
import io.linerate.fabric.OpenEndpoint;
import io.linerate.fabric.Receiver;
import io.linerate.fabric.RemoteRegion;
import io.linerate.fabric.Waiting;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** An end of what fabric.c says on the wire, by linerate-fabric. */
final class JavaTwin implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int ROOM = 1 << 24;
  private static final int GROUP = 4;
  private static final long REPLY = 1L << 32;
  private static final int NUMBER = Long.BYTES;

  private final FabricAddress address;
  private final FabricDomain domain;
  private final CompletionQueue queue;
  private final @Nullable OpenEndpoint open;
  private final @Nullable Listener listener;
  private final Completions completions;
  private final MemoryRegion in;
  private final MemoryRegion out;
  private final Descriptor receive;
  private final Descriptor send;
  private @Nullable Destination to;

  private JavaTwin(FabricAddress address, boolean isServer, Capability... wanted) {
    this.address = address;
    DomainOptions options = DomainOptions.DEFAULT;
    domain =
        FabricDomain.open(
            address, wanted.length == 0 ? options : options.with(Capability.MESSAGES, wanted));
    queue = domain.completionQueue(1024, Waiting.YIELD);
    boolean isOpen = domain.provider().kind() == EndpointKind.OPEN;
    open = isOpen ? domain.endpoint(queue) : null;
    listener = isServer && !isOpen ? domain.listen(address) : null;
    in = domain.register(domain.arena().allocate(ROOM, 64));
    out = domain.register(domain.arena().allocate(ROOM, 64));
    completions = domain.completions(16);
    receive = domain.descriptor();
    send = domain.descriptor();
  }

  /** One that a client connects to. */
  static JavaTwin server(FabricAddress address, Capability... wanted) {
    return new JavaTwin(address, true, wanted);
  }

  /** One that connects to a server, which is there. */
  static JavaTwin client(FabricAddress own, FabricAddress remote, Capability... wanted) {
    JavaTwin made = new JavaTwin(own, false, wanted);
    OpenEndpoint endpoint = made.open;
    if (endpoint == null) {
      made.connect(remote);
      made.awaitConnected();
    } else {
      made.to = new Destination.ByPeer(endpoint, made.domain.peer(remote));
      byte[] name = endpoint.name();
      made.out.segment().asSlice(0, name.length).copyFrom(MemorySegment.ofArray(name));
      made.send(name.length);
    }
    return made;
  }

  /** One that somebody else tells of its peer: {@link #meet(byte[])}, or {@link #connect}. */
  static JavaTwin unmet(FabricAddress own, boolean isServer) {
    return new JavaTwin(own, isServer);
  }

  /** Knows its peer by its name. */
  void meet(byte[] name) {
    to = new Destination.ByPeer(Objects.requireNonNull(open), domain.peer(name));
  }

  /** Begins a connection; {@link #awaitConnected} waits for it. */
  void connect(FabricAddress remote) {
    to = new Destination.ByConnection(domain.connect(remote, queue));
  }

  /** Takes a connection that somebody asks for. */
  void accept() {
    ConnectionRequest request = Objects.requireNonNull(listener).await(SOON).orElseThrow();
    to = new Destination.ByConnection(request.accept(Bindings.of(queue)));
  }

  void awaitConnected() {
    Connection _ = ((Destination.ByConnection) to()).endpoint().awaitConnected(SOON);
  }

  /** Its own name, where there are no connections. */
  byte[] ownName() {
    return Objects.requireNonNull(open).name();
  }

  boolean isOpen() {
    return open != null;
  }

  /** What comes, and what is sent. */
  MemorySegment incoming() {
    return in.segment();
  }

  MemorySegment outgoing() {
    return out.segment();
  }

  /** What a client of shm has to be told in place of the address: it does not follow links. */
  String name() {
    OpenEndpoint endpoint = open;
    if (!address.provider().equals("shm") || endpoint == null) {
      return "%s:%d".formatted(address.host(), address.port());
    }
    String name = new String(endpoint.name(), StandardCharsets.ISO_8859_1);
    return name.replace("fi_shm://", "").replace("\0", "");
  }

  /** A server's: waits until the client has said hello. */
  void meet() {
    if (listener != null) {
      accept();
      awaitConnected();
    } else {
      int length = receive(256);
      byte[] name = in.segment().asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
      meet(name);
    }
  }

  // ---- messages ----

  private Receiver endpoint() {
    return open == null ? to().endpoint() : open;
  }

  private Destination to() {
    return Objects.requireNonNull(to);
  }

  private void until(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as("ns waited").isLessThan(SOON.toNanos());
      int _ = queue.poll(completions);
    }
  }

  private void await(Descriptor descriptor) {
    assertThat(queue.await(descriptor, SOON)).isTrue();
    assertThat(descriptor.error()).isNull();
  }

  /** Sends the first bytes of {@link #outgoing}. */
  void send(int bytes) {
    until(() -> to().send(send.on(out, 0, bytes)));
    await(send);
  }

  /** Waits for a message of at most so many bytes; how many it has. */
  int receive(int room) {
    until(() -> endpoint().receive(receive.on(in, 0, room)));
    await(receive);
    return (int) receive.length();
  }

  private void exchangeCounts(boolean isServer, long count) {
    if (!isServer) {
      TwinPattern.u64(out.segment(), 0, count);
      send(NUMBER);
    }
    assertThat(receive(256)).isEqualTo(NUMBER);
    assertThat(TwinPattern.u64(in.segment(), 0)).as("that were right there").isEqualTo(count);
    if (isServer) {
      TwinPattern.u64(out.segment(), 0, count);
      send(NUMBER);
    }
  }

  // ---- echo ----

  void echo(boolean isServer, TwinMessages messages) {
    for (int number = 0; number < messages.count(); number++) {
      if (isServer) {
        receiveOne(messages, number);
      }
      int bytes = messages.bytes(number);
      TwinPattern.fill(out.segment(), messages.seed(), number, bytes);
      send(bytes);
      if (!isServer) {
        receiveOne(messages, number);
      }
    }
    exchangeCounts(isServer, messages.count());
  }

  private void receiveOne(TwinMessages messages, int number) {
    int bytes = messages.bytes(number);
    assertThat(receive(ROOM)).as("bytes of message %d", number).isEqualTo(bytes);
    TwinPattern.assertThere(in.segment(), messages.seed(), number, bytes);
  }

  // ---- tagged ----

  void tagged(boolean isServer, TwinMessages messages) {
    int room = messages.most();
    for (int first = 0; first < messages.count(); first += GROUP) {
      int last = Math.min(messages.count(), first + GROUP);
      Descriptor[] receives = new Descriptor[last - first];
      for (int number = last - 1; number >= first; number--) {
        Descriptor one = domain.descriptor().on(in, (long) (number - first) * room, room);
        receives[number - first] = one;
        long tag = isServer ? number : number | REPLY;
        until(() -> endpoint().receiveTagged(one, tag, 0));
      }
      if (!isServer) {
        sendGroup(messages, first, last, 0);
      }
      for (int number = first; number < last; number++) {
        Descriptor one = receives[number - first];
        await(one);
        assertThat(one.length()).isEqualTo(messages.bytes(number));
        MemorySegment there = in.segment().asSlice((long) (number - first) * room, room);
        TwinPattern.assertThere(there, messages.seed(), number, messages.bytes(number));
        one.close();
      }
      if (isServer) {
        sendGroup(messages, first, last, REPLY);
      }
    }
    exchangeCounts(isServer, messages.count());
  }

  private void sendGroup(TwinMessages messages, int first, int last, long bit) {
    for (int number = first; number < last; number++) {
      int bytes = messages.bytes(number);
      long tag = number | bit;
      TwinPattern.fill(out.segment(), messages.seed(), number, bytes);
      until(() -> to().sendTagged(send.on(out, 0, bytes), tag));
      await(send);
    }
  }

  // ---- memory ----

  /** A target: offers a region, and waits until the client has done with it. */
  void target(TwinMessages messages) {
    int bytes = messages.bytes(0);
    MemoryRegion region = domain.register(domain.arena().allocate(bytes, 64), Access.values());
    TwinPattern.fill(region.segment(), messages.seed(), 0, bytes);
    RemoteRegion published = region.publish();
    TwinPattern.u64(out.segment(), 0, published.address());
    TwinPattern.u64(out.segment(), 8, published.key());
    TwinPattern.u64(out.segment(), 16, bytes);
    send(24);
    assertThat(receive(256)).isEqualTo(NUMBER);
    TwinPattern.u64(out.segment(), 0, TwinPattern.checksum(region.segment()));
    send(NUMBER);
  }

  /** Writes, adds and reads in a target's region, and compares it with what it is to be. */
  void remote(TwinMessages messages, boolean hasAtomics) {
    assertThat(receive(256)).isEqualTo(24);
    MemorySegment said = in.segment();
    RemoteRegion region =
        new RemoteRegion(
            TwinPattern.u64(said, 0),
            TwinPattern.u64(said, 8),
            TwinPattern.u64(said, 16),
            Set.of(Access.values()));
    int length = (int) region.length();
    MemorySegment model = MemorySegment.ofArray(TwinPattern.of(messages.seed(), 0, length));
    int operations = 0;
    for (int number = 1; number < messages.count(); number++) {
      int bytes = Math.max(1, Math.min(length, messages.bytes(number)));
      long at = (number * 7919L) % (length - bytes + 1);
      TwinPattern.fill(out.segment(), ~messages.seed(), number, bytes);
      model.asSlice(at, bytes).copyFrom(out.segment().asSlice(0, bytes));
      send.on(out, 0, bytes).level(CompletionLevel.DELIVERED);
      complete(() -> to().write(send, region, at));
      operations += hasAtomics ? 2 : 1;
      if (hasAtomics) {
        add(region, model, (number * 31L) % (length / NUMBER) * NUMBER);
      }
      in.segment().asSlice(0, length).fill((byte) 0xA5);
      send.on(in, 0, length).level(CompletionLevel.DEFAULT);
      complete(() -> to().read(send, region, 0));
      assertThat(in.segment().asSlice(0, length).mismatch(model)).isEqualTo(-1);
      operations++;
    }
    TwinPattern.u64(out.segment(), 0, operations);
    send.level(CompletionLevel.DEFAULT);
    send(NUMBER);
    assertThat(receive(256)).isEqualTo(NUMBER);
    assertThat(TwinPattern.u64(in.segment(), 0)).isEqualTo(TwinPattern.checksum(model));
  }

  private void complete(BooleanSupplier post) {
    until(post);
    await(send);
  }

  private void add(RemoteRegion region, MemorySegment model, long at) {
    long addend = at * 0x1_0000_0001L + 1;
    out.segment().set(ValueLayout.JAVA_LONG, 0, addend);
    send.on(out, 0, NUMBER).level(CompletionLevel.DEFAULT);
    AtomicTarget target = new AtomicTarget(region, at, AtomicType.UINT64);
    complete(() -> to().fetch(send, target, AtomicOperation.SUM, in, 0));
    long before = model.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
    assertThat(in.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(before);
    model.set(ValueLayout.JAVA_LONG_UNALIGNED, at, before + addend);
  }

  /** Lets its peer end, which may need something of this side still. */
  void linger(BooleanSupplier isDone) {
    until(isDone);
  }

  @Override
  public void close() {
    domain.close();
  }
}
