package io.linerate.fabric;

import org.jspecify.annotations.Nullable;

/** Where a descriptor is posted, for whom, and what has become of that. */
final class Posting {
  private final FabricDomain domain;
  private final int index;
  private @Nullable Receiver receiver;
  private @Nullable Peer peer;
  private @Nullable Receiver claimedAt;
  private boolean isAbandoned;
  private boolean isAskedBack;
  private int postedAt;

  /** Of the descriptor that has an index. */
  Posting(FabricDomain domain, int index) {
    this.domain = domain;
    this.index = index;
  }

  /** Where it is posted; null while it is idle. */
  @Nullable Receiver receiver() {
    return receiver;
  }

  @Nullable Peer peer() {
    return peer;
  }

  /** When it was posted, in the domain's ticks. */
  int postedAt() {
    return postedAt;
  }

  /** Whether its failure was told, while the provider still has it. */
  boolean isAbandoned() {
    return isAbandoned;
  }

  boolean isAskedBack() {
    return isAskedBack;
  }

  /** For whom it is about to be posted: mostly the same, nothing for the collector to remember. */
  void peer(@Nullable Peer to) {
    if (peer != to) {
      peer = to;
    }
  }

  void posted(Receiver at) {
    receiver = at;
    postedAt = domain.ticks();
    isAbandoned = false;
    isAskedBack = false;
    claimedAt = null;
  }

  /** The provider has ended it, and may keep a message for it. */
  void ended(boolean hasClaimed) {
    claimedAt = hasClaimed ? receiver : null;
    receiver = null;
  }

  /** It has failed, or its endpoint is closed. */
  void dropped() {
    receiver = null;
  }

  /** It has failed, but the provider still has it. */
  void abandoned() {
    isAbandoned = true;
  }

  void askedBack() {
    isAskedBack = true;
  }

  /**
   * Throws while a message is kept for it.
   *
   * @param tag of that message
   */
  void requireUnclaimed(long tag) {
    if (claimedAt != null && !claimedAt.isEnded()) {
      throw new FabricException(
          "a descriptor has claimed a message: index=%d, tag=%d; receive that by it first"
              .formatted(index, tag));
    }
  }

  /** Throws unless a message is kept for it at a receiver: the provider does not look. */
  void requireClaimAt(Receiver at) {
    if (claimedAt != at) {
      throw new FabricException(
          "a descriptor has claimed no message of this endpoint: index=%d; claim one by it first"
              .formatted(index));
    }
  }

  void requireDomainOf(Receiver at) {
    if (at.domain() != domain) {
      throw new FabricException(
          "a descriptor belongs to another domain: index=%d; ask the endpoint's domain for one"
              .formatted(index));
    }
  }
}
