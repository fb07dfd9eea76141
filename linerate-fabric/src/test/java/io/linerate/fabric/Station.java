package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An address of one program, at which it meets others: by connections or without. */
final class Station implements AutoCloseable {
  private static final int NAME_BYTES = 256;

  final FabricAddress address;
  final Side side;
  private final @Nullable OpenEndpoint open;
  private final @Nullable Listener listener;

  private Station(FabricAddress address, Side side, boolean isListening) {
    this.address = address;
    this.side = side;
    boolean isOpen = address.kind() == EndpointKind.OPEN;
    open = isOpen ? side.domain.endpoint(side.queue) : null;
    listener = isOpen || !isListening ? null : side.domain.listen(address);
  }

  /** One that others connect to. */
  static Station listen(FabricAddress address) {
    return listen(address, DomainOptions.DEFAULT);
  }

  static Station listen(FabricAddress address, DomainOptions options) {
    return new Station(address, new Side(address, options), true);
  }

  /** One that connects to others. */
  static Station open(FabricAddress address) {
    return new Station(address, new Side(address, DomainOptions.DEFAULT), false);
  }

  /** Asks for a link; {@link #complete} waits for it. */
  LinkEnd ask(FabricAddress remote) {
    OpenEndpoint endpoint = open;
    return endpoint == null
        ? LinkEnd.of(side, side.domain.connect(remote, side.queue))
        : LinkEnd.of(side, endpoint, side.domain.peer(remote));
  }

  /**
   * Waits for a link that was asked for; where there are no connections, the peer is told the own
   * name.
   */
  LinkEnd complete(LinkEnd asked) {
    if (asked.endpoint() instanceof Connection connection) {
      connection.awaitConnected(Side.SOON);
    } else {
      byte[] name = ((OpenEndpoint) asked.endpoint()).name();
      MemoryRegion memory = side.region(name.length);
      memory.segment().asByteBuffer().put(name);
      Descriptor hello = side.domain.descriptor().on(memory);
      asked.post(() -> asked.to().send(hello));
      assertThat(side.queue.await(hello, Side.SOON)).isTrue();
      assertThat(hello.error()).isNull();
      hello.close();
    }
    return asked;
  }

  LinkEnd connect(FabricAddress remote) {
    return complete(ask(remote));
  }

  /** What the provider calls it, where there are no connections. */
  byte[] name() {
    return Objects.requireNonNull(open).name();
  }

  /** Posts memory for a message, where there are no connections. */
  boolean receive(Descriptor descriptor) {
    return Objects.requireNonNull(open).receive(descriptor);
  }

  /** Waits until somebody asks for a link; what this returns takes it. */
  Supplier<LinkEnd> request() {
    OpenEndpoint endpoint = open;
    if (endpoint == null) {
      ConnectionRequest request = Objects.requireNonNull(listener).await(Side.SOON).orElseThrow();
      return () -> LinkEnd.of(side, request.accept(Bindings.of(side.queue)));
    }
    MemoryRegion memory = side.region(NAME_BYTES);
    Descriptor hello = side.domain.descriptor().on(memory);
    assertThat(endpoint.receive(hello)).isTrue();
    assertThat(side.queue.await(hello, Side.SOON)).isTrue();
    byte[] name = memory.segment().asSlice(0, hello.length()).toArray(ValueLayout.JAVA_BYTE);
    hello.close();
    return () -> LinkEnd.of(side, endpoint, side.domain.peer(name));
  }

  /** Takes the next link that somebody asks for. */
  LinkEnd accept() {
    LinkEnd end = request().get();
    if (end.endpoint() instanceof Connection connection) {
      connection.awaitConnected(Side.SOON);
    }
    return end;
  }

  /** Lets operations go on for a little while. */
  void idle() {
    int _ = side.queue.await(side.completions, Duration.ofMillis(1));
  }

  @Override
  public void close() {
    side.close();
  }
}
