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
  /** Of rxm, for what a sender that has gone has announced. */
  private static final int FI_EOTHER = 256;

  private final FabricDomain domain;
  private final ProviderInfo provider;
  private final CompletionQueue queue;
  private final CallCount calls;
  private final long handle;
  private @Nullable Descriptor unanswered;
  private boolean isClosed;

  Receiver(FabricDomain domain, CompletionQueue queue, long handle) {
    this.domain = domain;
    this.queue = queue;
    this.handle = handle;
    provider = domain.provider();
    calls = domain.calls();
  }

  /** What it was made by. Any thread may ask. */
  public final FabricDomain domain() {
    return domain;
  }

  final ProviderInfo provider() {
    return provider;
  }

  final CompletionQueue queue() {
    return queue;
  }

  final CallCount calls() {
    return calls;
  }

  final long handle() {
    return handle;
  }

  /** Whether it is closed: it takes no descriptor any more. */
  public final boolean isClosed() {
    domain.requireOwner();
    return isClosed;
  }

  /** As {@link #isClosed}, for the domain itself. */
  final boolean isEnded() {
    return isClosed;
  }

  /** Whether it is bound to a queue, a counter or a shared receiver. */
  boolean uses(Object part) {
    return queue == part;
  }

  /** Posts memory for a message. */
  public final boolean receive(Descriptor descriptor) {
    return post(descriptor, Operation.RECEIVE, 0, null);
  }

  /**
   * Posts memory for a message with the next poll of the completion queue, whose native call does
   * it: that saves one for each message that comes again and again. The descriptor is posted from
   * now on.
   */
  public final boolean receiveWithPoll(Descriptor descriptor) {
    requireOpen();
    descriptor.requireIdleFor(this);
    if (!queue.hasRoom()) {
      return false;
    }
    descriptor.prepare(Operation.RECEIVE, 0, null);
    if (!queue.postWithPoll(this, descriptor)) {
      return false;
    }
    descriptor.posted(this);
    queue.expect();
    return true;
  }

  /**
   * Posts a descriptor that counts as posted; it ends at once if that fails.
   *
   * @return false if the queue is full
   */
  final boolean postNow(Descriptor descriptor) {
    long result = FabricLibrary.post(calls, handle, descriptor.address());
    if (isFull(result)) {
      return false;
    }
    if (result < 0) {
      queue.end(descriptor, failure(result));
    }
    return true;
  }

  private FabricError failure(long result) {
    return result == -FI_EOTHER
        ? FabricError.of(
            FabricError.Kind.PEER_LOST,
            "a message cannot be fetched any more: its sender has gone, provider="
                + provider.name())
        : FabricError.of(
            FabricError.Kind.FAILED, "a receive cannot be posted: " + FabricLibrary.error(result));
  }

  private boolean isFull(long result) {
    return result == -Errno.EAGAIN
        || (result == -Errno.ENOMEM && domain.address().isSharedMemory());
  }

  /**
   * Posts memory for several messages, which come one after the other: each has a completion, which
   * tells its place; the last one gives the descriptor back, when less than {@code leastBytes} are
   * left ({@link DomainOptions#leastMultiReceive}). A message that is longer than what is left is
   * an error, and some providers tell by an entry of its own that the descriptor is back ({@link
   * Completions#hasMessage}).
   *
   * @param descriptor of one segment
   */
  public final boolean receiveMany(Descriptor descriptor) {
    require(Capability.MULTI_RECEIVE);
    descriptor.requireIdleFor(this);
    if (descriptor.segments() != 1 || descriptor.capacity() == 0) {
      // Providers look at the first segment, and give nothing back that they have not used.
      throw new FabricException(
          "memory for several messages: segments=%d, length=%d; give the descriptor one segment"
              .formatted(descriptor.segments(), descriptor.capacity()));
    }
    return post(descriptor, Operation.RECEIVE, FabricFlags.FI_MULTI_RECV, null);
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
   *
   * @throws FabricException if the provider cannot do it (shm)
   */
  public final boolean peekTagged(Descriptor descriptor, long tag, long ignoredBits) {
    return peek(descriptor, tag, ignoredBits, FabricFlags.FI_PEEK);
  }

  /**
   * As {@link #peekTagged}; and a message that was found is kept for {@link #receiveClaimed} with
   * the same descriptor.
   */
  public final boolean claimTagged(Descriptor descriptor, long tag, long ignoredBits) {
    return peek(descriptor, tag, ignoredBits, FabricFlags.FI_PEEK | FabricFlags.FI_CLAIM);
  }

  /** As {@link #peekTagged}; and a message that was found is thrown away. */
  public final boolean discardTagged(Descriptor descriptor, long tag, long ignoredBits) {
    return peek(descriptor, tag, ignoredBits, FabricFlags.FI_PEEK | FabricFlags.FI_DISCARD);
  }

  /** Receives the message that this descriptor has claimed. */
  public final boolean receiveClaimed(Descriptor descriptor) {
    require(Capability.TAGGED);
    requireOpen();
    descriptor.requireClaimFor(this);
    return doPost(descriptor, Operation.TAGGED_RECEIVE, FabricFlags.FI_CLAIM, null);
  }

  private boolean peek(Descriptor descriptor, long tag, long ignoredBits, long flags) {
    require(Capability.TAGGED);
    if (domain.address().isSharedMemory()) { // It ignores the flag, and receives the message.
      throw new FabricException(
          "the provider cannot look for messages: provider=%s; receive them"
              .formatted(provider.name()));
    }
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
      boolean _ = queue.postBatch();
      descriptor.askBack(calls, handle);
    }
  }

  final boolean post(Descriptor descriptor, Operation operation, long flags, @Nullable Peer peer) {
    requireOpen();
    descriptor.requireIdleFor(this);
    return doPost(descriptor, operation, flags, peer);
  }

  private boolean doPost(
      Descriptor descriptor, Operation operation, long flags, @Nullable Peer peer) {
    if (descriptor.capacity() > provider.messageBytes() && !operation.isReceive()) {
      throw new FabricException(
          "a message is too long: length=%d, limit=%d, provider=%s; send it in parts"
              .formatted(descriptor.capacity(), provider.messageBytes(), provider.name()));
    }
    if (descriptor.capacity() == 0
        && descriptor.isDelivered()
        && !operation.isReceive()
        && domain.address().isSharedMemory()) {
      throw new FabricException( // It would never end, nor would what follows be sent.
          "shm does not tell of the delivery of an empty message: operation=%s, level=%s; send a byte, or take another level"
              .formatted(operation, CompletionLevel.DELIVERED));
    }
    if (!operation.isReceive()) {
      requireAnswered(operation);
    }
    if (!queue.hasRoom() || (operation.isReceive() && !queue.postBatch())) {
      return false;
    }
    descriptor.prepare(operation, flags, peer);
    long result = FabricLibrary.post(calls, handle, descriptor.address());
    if (result == 0) {
      descriptor.posted(this);
      queue.expect();
      return true;
    }
    if (result == -FI_EOTHER && operation.isReceive()) {
      descriptor.posted(this);
      queue.expect();
      queue.end(descriptor, failure(result));
      return true;
    }
    boolean isFull = operation.isReceive() && isFull(result);
    return !isFull && requireTaken("an operation cannot be posted: operation=", operation, result);
  }

  /** Its peer has not answered it in time. */
  final void unanswered(Descriptor descriptor) {
    unanswered = descriptor;
  }

  /** shm takes answers in their order, and sends nothing behind one that is missing. */
  final void requireAnswered(Operation next) {
    Descriptor waiting = unanswered;
    if (waiting == null) {
      return;
    }
    if (waiting.receiver() == this && waiting.isAbandoned()) {
      throw new FabricException(
          "an operation before has no answer: operation=%s, before=%s, peer=%s; it holds up all that follow, so open another endpoint, and look at the key of the one before"
              .formatted(next, waiting.currentOperation(), waiting.peer()));
    }
    unanswered = null;
  }

  static boolean requireTaken(String what, Operation operation, long result) {
    if (result == -Errno.EAGAIN) {
      return false;
    }
    if (result < 0) {
      throw FabricException.of(what + operation + ",", result);
    }
    return true;
  }

  final void require(Capability capability) {
    requireOpen();
    provider.require(capability);
  }

  final void requireOpen() {
    domain.requireOpen();
    if (isClosed) {
      throw new FabricException("an endpoint is closed: provider=" + provider.name());
    }
  }

  /** What ends before it does. */
  void beforeClose() {}

  /** What is to be done when it has ended. */
  void afterClose() {}

  /**
   * Ends it at once: descriptors that are posted fail with {@code CANCELED}, and tell so in their
   * {@link Descriptor#error}; no completion tells it.
   */
  @Override
  public final void close() {
    domain.requireOwner();
    if (isClosed || domain.isClosed()) {
      return;
    }
    domain.parts().requireUnbound("a shared receiver", this);
    beforeClose();
    if (domain.address().isSharedMemory()) {
      boolean _ =
          LinkedDomains.exclusively(() -> {
            return end(LinkedDomains.isLinked(domain));
          });
    } else {
      boolean _ = end(false);
    }
    afterClose();
  }

  private boolean end(boolean isKept) {
    if (isKept) {
      domain.descriptors().cancelReceives(this);
    }
    isClosed = true;
    domain.nativeClosing().closeEndpoint(handle, isKept);
    domain.parts().forget(this, isKept);
    queue.drop(this, isKept);
    return isKept;
  }
}
