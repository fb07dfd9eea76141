package io.linerate.fabric;

import java.util.List;

/**
 * Checks a domain's peers now and then, when somebody polls: whether they are there, and answer.
 * Where the provider does not tell, what is posted for them ends by it.
 */
final class PeerWatch {
  static final int CHECK_MS = 200;
  private static final long CHECK_NS = CHECK_MS * 1_000_000L;
  private static final int TICKS_TO_ANSWER = 10;

  private final FabricDomain domain;
  private final PeerTable peers;
  private final List<Receiver> receivers;
  private long lastCheckNs = System.nanoTime();
  private int ticks;

  PeerWatch(FabricDomain domain, PeerTable peers, List<Receiver> receivers) {
    this.domain = domain;
    this.peers = peers;
    this.receivers = receivers;
  }

  /** How often it has checked: every 200 ms while somebody polls. */
  int ticks() {
    return ticks;
  }

  void checkNowAndThen() {
    long now = System.nanoTime();
    if (now - lastCheckNs < CHECK_NS) {
      return;
    }
    lastCheckNs = now;
    ticks++;
    if (domain.address().isSharedMemory()) {
      domain.descriptors().forEachPosted(this::endUnanswered);
    }
    peers.forgetLeaving();
    List<Peer> lost = peers.findLost();
    if (!lost.isEmpty()) {
      lost.forEach(this::lost);
    }
  }

  /** shm leaves an operation posted for good whose key the peer does not have. */
  private void endUnanswered(Descriptor descriptor) {
    Receiver receiver = descriptor.receiver();
    if (receiver != null
        && descriptor.currentOperation().isRemote()
        && !descriptor.isAbandoned()
        && ticks - descriptor.postedAt() > TICKS_TO_ANSWER) {
      receiver.unanswered(descriptor);
      receiver
          .queue()
          .abandon(
              descriptor,
              FabricError.of(
                  FabricError.Kind.UNANSWERED,
                  "the peer has not answered for 2 s: operation=%s, peer=%s; it does not poll, or has no memory of that key"
                      .formatted(descriptor.currentOperation(), descriptor.peer())));
    }
  }

  /** Ends what is posted for a peer that is lost, and tells of it. */
  void lost(Peer peer) {
    FabricError error = peer.lostAs();
    if (error == null) {
      return;
    }
    domain
        .descriptors()
        .forEachPosted(descriptor -> {
          Receiver receiver = descriptor.receiver();
          if (descriptor.peer() == peer && receiver != null && !descriptor.isAbandoned()) {
            receiver.queue().abandon(descriptor, error);
          }
        });
    for (Receiver receiver : receivers) {
      receiver.queue().tell(receiver, error);
    }
  }
}
