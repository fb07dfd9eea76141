package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One end of a link, whose other one may be in another program.
 *
 * @param peer null where the endpoint is a connection
 */
record LinkEnd(Side side, Endpoint endpoint, @Nullable Peer peer) {
  boolean send(Descriptor descriptor) {
    return endpoint instanceof OpenEndpoint open
        ? open.send(descriptor, Link.required(peer))
        : ((Connection) endpoint).send(descriptor);
  }

  boolean sendTagged(Descriptor descriptor, long tag) {
    return endpoint instanceof OpenEndpoint open
        ? open.sendTagged(descriptor, Link.required(peer), tag)
        : ((Connection) endpoint).sendTagged(descriptor, tag);
  }

  boolean write(Descriptor descriptor, RemoteRegion region, long offset) {
    return endpoint instanceof OpenEndpoint open
        ? open.write(descriptor, Link.required(peer), region, offset)
        : ((Connection) endpoint).write(descriptor, region, offset);
  }

  boolean read(Descriptor descriptor, RemoteRegion region, long offset) {
    return endpoint instanceof OpenEndpoint open
        ? open.read(descriptor, Link.required(peer), region, offset)
        : ((Connection) endpoint).read(descriptor, region, offset);
  }

  boolean fetch(
      Descriptor descriptor,
      AtomicTarget target,
      AtomicOperation atomic,
      MemoryRegion result,
      long resultOffset) {
    return ((OpenEndpoint) endpoint)
        .fetch(descriptor, Link.required(peer), target, atomic, result, resultOffset);
  }

  boolean compareAndSwap(
      Descriptor descriptor, AtomicTarget target, MemoryRegion compare, MemoryRegion result) {
    return ((OpenEndpoint) endpoint)
        .compareAndSwap(descriptor, Link.required(peer), target, compare, 0, result, 0);
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
    if (endpoint instanceof Connection) {
      endpoint.close();
    } else {
      side.domain.remove(Link.required(peer));
    }
  }
}
