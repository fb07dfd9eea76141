package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Two sides that reach each other, by connections or without, whatever the provider has. */
final class Link implements AutoCloseable {
  final Side left;
  final Side right;
  final Endpoint leftEndpoint;
  final Endpoint rightEndpoint;
  final @Nullable Peer rightPeer;
  final @Nullable Peer leftPeer;
  private final Destination toRight;
  private final Destination toLeft;

  private Link(
      Side left,
      Side right,
      Endpoint leftEndpoint,
      Endpoint rightEndpoint,
      @Nullable Peer rightPeer,
      @Nullable Peer leftPeer) {
    this.left = left;
    this.right = right;
    this.leftEndpoint = leftEndpoint;
    this.rightEndpoint = rightEndpoint;
    this.rightPeer = rightPeer;
    this.leftPeer = leftPeer;
    toRight = destination(leftEndpoint, rightPeer);
    toLeft = destination(rightEndpoint, leftPeer);
  }

  static Link open(String provider, DomainOptions options) {
    return open(provider, options, side -> Bindings.of(side.queue));
  }

  static Link open(String provider, DomainOptions options, Function<Side, Bindings> bindings) {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    FabricAddress rightAddress = FabricAddresses.free(provider);
    return rightAddress.kind() == EndpointKind.OPEN
        ? withPeers(FabricAddresses.free(provider), rightAddress, options, bindings)
        : withConnection(rightAddress, options, bindings);
  }

  private static Link withPeers(
      FabricAddress left,
      FabricAddress right,
      DomainOptions options,
      Function<Side, Bindings> bindings) {
    Side a = new Side(left, options);
    Side b = new Side(right, options);
    OpenEndpoint aEndpoint = a.domain.endpoint(bindings.apply(a));
    OpenEndpoint bEndpoint = b.domain.endpoint(bindings.apply(b));
    Peer toB = a.domain.peer(right);
    Peer toA = b.domain.peer(aEndpoint.name());
    return new Link(a, b, aEndpoint, bEndpoint, toB, toA);
  }

  private static Link withConnection(
      FabricAddress address, DomainOptions options, Function<Side, Bindings> bindings) {
    Side a = new Side(address, options);
    Side b = new Side(address, options);
    Listener listener = b.domain.listen(address);
    Connection connecting = a.domain.connect(address, bindings.apply(a));
    List<ConnectionRequest> requests = new ArrayList<>();
    until(() -> {
      connecting.state(); // Both sides have to go on.
      listener.poll().ifPresent(requests::add);
      return !requests.isEmpty();
    });
    Connection accepted = requests.getFirst().accept(bindings.apply(b));
    until(() -> {
      boolean isAccepted = accepted.state() == Connection.State.CONNECTED; // Both have to go on.
      return connecting.state() == Connection.State.CONNECTED && isAccepted;
    });
    return new Link(a, b, connecting, accepted, null, null);
  }

  static Peer required(@Nullable Peer peer) {
    return Objects.requireNonNull(peer);
  }

  @SuppressWarnings("ThreadPriorityCheck") // Where there are few CPUs.
  static void until(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as("ns waited").isLessThan(Side.SOON.toNanos());
      Thread.yield();
    }
  }

  Destination toRight() {
    return toRight;
  }

  Destination toLeft() {
    return toLeft;
  }

  private static Destination destination(Endpoint endpoint, @Nullable Peer peer) {
    return endpoint instanceof OpenEndpoint open
        ? new Destination.ByPeer(open, required(peer))
        : new Destination.ByConnection((Connection) endpoint);
  }

  /** Posts as soon as the queue takes it, while both sides go on. */
  void post(BooleanSupplier post) {
    until(() -> {
      if (post.getAsBoolean()) {
        return true;
      }
      progress();
      return false;
    });
  }

  void progress() {
    left.queue.progress();
    right.queue.progress();
  }

  @Override
  public void close() {
    left.close();
    right.close();
  }
}
