package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.BooleanSupplier;

/** One end of a link, whose other one may be in another program. */
record LinkEnd(Side side, Destination to) {
  static LinkEnd of(Side side, Connection connection) {
    return new LinkEnd(side, new Destination.ByConnection(connection));
  }

  static LinkEnd of(Side side, OpenEndpoint endpoint, Peer peer) {
    return new LinkEnd(side, new Destination.ByPeer(endpoint, peer));
  }

  Endpoint endpoint() {
    return to.endpoint();
  }

  /** Posts as soon as the queue takes it. */
  void post(BooleanSupplier post) {
    long start = System.nanoTime();
    while (!post.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as("ns waited").isLessThan(Side.SOON.toNanos());
      side.queue.progress();
    }
  }

  /** Posts, and waits until it has ended well. */
  Descriptor complete(Descriptor descriptor, BooleanSupplier post) {
    post(post);
    return ended(descriptor);
  }

  Descriptor ended(Descriptor descriptor) {
    assertThat(side.queue.await(descriptor, Side.SOON)).isTrue();
    assertThat(descriptor.error()).isNull();
    return descriptor;
  }

  /** Of a connection alone: an open endpoint stays for other peers. */
  void close() {
    switch (to) {
      case Destination.ByConnection connection -> connection.endpoint().close();
      case Destination.ByPeer there -> side.domain.remove(there.peer());
    }
  }
}
