package io.linerate.bench.fabric.exchange;

import io.linerate.fabric.Access;
import io.linerate.fabric.Bindings;
import io.linerate.fabric.CompletionQueue;
import io.linerate.fabric.Completions;
import io.linerate.fabric.Connection;
import io.linerate.fabric.Descriptor;
import io.linerate.fabric.Destination;
import io.linerate.fabric.DomainOptions;
import io.linerate.fabric.Endpoint;
import io.linerate.fabric.EndpointKind;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricDomain;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.Listener;
import io.linerate.fabric.MemoryRegion;
import io.linerate.fabric.OpenEndpoint;
import io.linerate.fabric.Waiting;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/**
 * One end of an exchange: a domain with one endpoint, whose peer is known. Where there are no
 * connections, the client's first message is its name. Then each side says once that it has posted
 * memory for what follows.
 */
final class End {
  static final int BATCH = 64;
  static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  private static final int NAME_BYTES = 256;
  private static final int PAGE_BYTES = 4_096;
  private static final Duration SOON = Duration.ofSeconds(10);

  final FabricDomain domain;
  final CompletionQueue queue;
  final Completions completions;
  final Destination peer;
  private final Runnable whenMet;
  private final MemoryRegion words;
  private final Descriptor in;
  private final Descriptor out;

  private End(
      FabricAddress address,
      FabricAddress own,
      boolean isServer,
      Waiting waiting,
      Runnable whenMet) {
    this.whenMet = whenMet;
    domain = FabricDomain.open(own, DomainOptions.DEFAULT);
    queue = domain.completionQueue(4_096, waiting);
    completions = domain.completions(BATCH);
    words = region(2L * NAME_BYTES);
    in = domain.descriptor().on(words, 0, NAME_BYTES);
    out = domain.descriptor();
    if (domain.provider().kind() == EndpointKind.OPEN) {
      peer = isServer ? withClient() : toServer(address);
    } else {
      peer = new Destination.ByConnection(isServer ? accept(address) : connect(address));
    }
  }

  /** Says ready when the client may come, and waits for it. */
  static End listen(FabricAddress address, Waiting waiting) {
    return new End(address, address, true, waiting, () -> {});
  }

  /**
   * @param whenMet is done when the server has memory for messages
   */
  static End connect(FabricAddress address, FabricAddress own, Waiting waiting, Runnable whenMet) {
    return new End(address, own, false, waiting, whenMet);
  }

  /** Registered memory. */
  MemoryRegion region(long bytes, Access... rights) {
    return domain.register(domain.arena().allocate(bytes, PAGE_BYTES).fill((byte) 0), rights);
  }

  /** The descriptor of an entry that has not failed. */
  static Descriptor good(Completions come, int index) {
    Descriptor descriptor = come.descriptor(index);
    if (descriptor == null || come.error(index) != null) {
      throw new FabricException("an operation has failed: error=" + come.error(index));
    }
    return descriptor;
  }

  private Connection accept(FabricAddress address) {
    Listener listener = domain.listen(address);
    System.out.println("ready");
    Connection connection = listener.await(FOREVER).orElseThrow().accept(Bindings.of(queue));
    post(connection);
    return connection.awaitConnected(SOON);
  }

  private Connection connect(FabricAddress address) {
    Connection connection = domain.connect(address, queue);
    post(connection);
    return connection.awaitConnected(SOON);
  }

  private void post(Endpoint endpoint) {
    if (!endpoint.receive(in)) {
      throw new IllegalStateException("no room to receive: bytes=" + NAME_BYTES);
    }
  }

  private Destination withClient() {
    OpenEndpoint endpoint = domain.endpoint(queue);
    post(endpoint);
    System.out.println("ready");
    byte[] name = hear(FOREVER).toArray(ValueLayout.JAVA_BYTE);
    post(endpoint);
    return new Destination.ByPeer(endpoint, domain.peer(name));
  }

  private Destination toServer(FabricAddress address) {
    OpenEndpoint endpoint = domain.endpoint(queue);
    post(endpoint);
    Destination server = new Destination.ByPeer(endpoint, domain.peer(address));
    say(server, endpoint.name());
    return server;
  }

  private void say(Destination to, byte... word) {
    MemorySegment.copy(word, 0, words.segment(), ValueLayout.JAVA_BYTE, NAME_BYTES, word.length);
    out.on(words, NAME_BYTES, word.length);
    while (!to.send(out)) {
      queue.poll(completions);
    }
    require(out, SOON);
  }

  private MemorySegment hear(Duration timeout) {
    require(in, timeout);
    return words.segment().asSlice(0, in.length());
  }

  private void require(Descriptor descriptor, Duration timeout) {
    if (!queue.await(descriptor, timeout) || descriptor.error() != null) {
      throw new IllegalStateException("no word of the peer: error=" + descriptor.error());
    }
  }

  /** Tells the peer a word, and hears the peer's: then both have posted their memory. */
  MemorySegment meet(byte... word) {
    say(peer, word);
    MemorySegment heard = hear(SOON);
    whenMet.run();
    return heard;
  }
}
