package io.linerate.fabric;

import io.linerate.core.driver.Errno;
import org.jspecify.annotations.Nullable;

/**
 * Where memory is posted for messages that come: an {@link Endpoint}, or what several endpoints
 * share. Posting is asynchronous: a {@link CompletionQueue} gives the descriptor back. The methods
 * that post return false where the queue is full: poll completions, then try again; nothing was
 * changed.
 *
 * <p>One thread's, as its domain.
 */
public abstract sealed class Receiver implements AutoCloseable permits Endpoint, SharedReceiver {
  private static final long MULTI_RECEIVE = 1L << 16;
  private static final long PEEK = 1L << 19;
  private static final long CLAIM = 1L << 59;
  private static final long DISCARD = 1L << 58;

  private final FabricDomain domain;
  private final ProviderInfo provider;
  private final CompletionQueue queue;
  private final long handle;
  private boolean isClosed;

  Receiver(FabricDomain domain, CompletionQueue queue, long handle) {
    this.domain = domain;
    this.queue = queue;
    this.handle = handle;
    provider = domain.provider();
  }

  final FabricDomain domain() {
    return domain;
  }

  final ProviderInfo provider() {
    return provider;
  }

  final CompletionQueue queue() {
    return queue;
  }

  final long handle() {
    return handle;
  }

  /** Whether it is closed: it takes no descriptor any more. */
  public final boolean isClosed() {
    return isClosed;
  }

  /** Posts memory for a message. */
  public final boolean receive(Descriptor descriptor) {
    return post(descriptor, Operation.RECEIVE, 0, null);
  }

  /**
   * Posts memory for several messages, which come one after the other: each has a completion, which
   * tells its place; the last one gives the descriptor back, when less than {@code leastBytes} are
   * left ({@link FabricDomain#leastMultiReceive}).
   */
  public final boolean receiveMany(Descriptor descriptor) {
    require(Capability.MULTI_RECEIVE);
    return post(descriptor, Operation.RECEIVE, MULTI_RECEIVE, null);
  }

  /**
   * Posts memory for a message with a tag.
   *
   * @param ignoredBits of the tag, which may be anything in the message's
   */
  public final boolean receiveTagged(Descriptor descriptor, long tag, long ignoredBits) {
    require(Capability.TAGGED);
    descriptor.requireIdleFor(this);
    descriptor.tag(tag, ignoredBits);
    return post(descriptor, Operation.TAGGED_RECEIVE, 0, null);
  }

  /**
   * Asks whether a message with a tag has come that no memory was posted for. The completion has
   * its length and tag, or the error {@code ENOMSG}: there is none.
   */
  public final boolean peekTagged(Descriptor descriptor, long tag, long ignoredBits) {
    return peek(descriptor, tag, ignoredBits, PEEK);
  }

  /**
   * As {@link #peekTagged}; and a message that was found is kept for {@link #receiveClaimed} with
   * the same descriptor.
   */
  public final boolean claimTagged(Descriptor descriptor, long tag, long ignoredBits) {
    return peek(descriptor, tag, ignoredBits, PEEK | CLAIM);
  }

  /** As {@link #peekTagged}; and a message that was found is thrown away. */
  public final boolean discardTagged(Descriptor descriptor, long tag, long ignoredBits) {
    return peek(descriptor, tag, ignoredBits, PEEK | DISCARD);
  }

  /** Receives the message that this descriptor has claimed. */
  public final boolean receiveClaimed(Descriptor descriptor) {
    require(Capability.TAGGED);
    return post(descriptor, Operation.TAGGED_RECEIVE, CLAIM, null);
  }

  private boolean peek(Descriptor descriptor, long tag, long ignoredBits, long flags) {
    require(Capability.TAGGED);
    descriptor.requireIdleFor(this);
    descriptor.tag(tag, ignoredBits);
    return post(descriptor, Operation.TAGGED_RECEIVE, flags, null);
  }

  /**
   * Asks for a posted descriptor back. It ends with the error {@code CANCELED}, unless it has ended
   * otherwise before; nothing happens if the provider cannot do it.
   */
  public final void cancel(Descriptor descriptor) {
    requireOpen();
    if (descriptor.receiver() == this) {
      FabricFunction.CANCEL.callLong(handle, descriptor.address());
    }
  }

  final boolean post(Descriptor descriptor, Operation operation, long flags, @Nullable Peer peer) {
    descriptor.requireIdleFor(this);
    requireOpen();
    if (descriptor.capacity() > provider.messageBytes() && !operation.isReceive()) {
      throw new FabricException(
          "a message is too long: length=%d, limit=%d, provider=%s; send it in parts"
              .formatted(descriptor.capacity(), provider.messageBytes(), provider.name()));
    }
    if (!queue.hasRoom()) {
      return false;
    }
    descriptor.prepare(operation, flags, peer);
    long result = FabricLibrary.post(handle, descriptor.address());
    if (result == 0) {
      descriptor.posted(this);
      queue.expect();
      return true;
    }
    return isTaken("an operation cannot be posted: operation=", operation, result);
  }

  static boolean isTaken(String what, Operation operation, long result) {
    if (result == -Errno.EAGAIN) {
      return false;
    }
    if (result < 0) {
      throw FabricException.of(what + operation + ",", result);
    }
    return true;
  }

  final void require(Capability capability) {
    if (!provider.has(capability)) {
      throw new FabricException(
          "the endpoint lacks what is asked for: capability=%s, provider=%s; ask for it with DomainOptions, or take another provider"
              .formatted(capability, provider.name()));
    }
  }

  final void requireOpen() {
    domain.check();
    if (isClosed) {
      throw new FabricException("an endpoint is closed: provider=" + provider.name());
    }
  }

  /** What ends before it does. */
  void beforeClose() {}

  /**
   * Ends it at once: descriptors that are posted fail with {@code CANCELED}, and tell so in their
   * {@link Descriptor#error}; no completion tells it.
   */
  @Override
  public final void close() {
    domain.check();
    if (isClosed) {
      return;
    }
    beforeClose();
    boolean isKept = Neighbours.hasMet(domain);
    if (isKept) {
      queue.cancelReceives(this);
    }
    isClosed = true;
    domain.closeEndpoint(handle, isKept);
    domain.forget(this);
    queue.drop(this, isKept);
  }
}
