package io.linerate.fabric;

import java.lang.foreign.Arena;

/** How a thread passes the time that has polled a queue in vain: what a {@link Waiting} says. */
final class QueueIdling {
  /** Polls of one native call while a thread spins: a call costs as much as a poll. */
  private static final int SPIN_ROUNDS = 32;

  private static final long SLEEP_NS = 10_000_000;

  private final FabricDomain domain;
  private final long queue;
  private final Waiting waiting;
  private final long spinNs;
  private final long yieldNs;
  private final DescriptorSleep sleep;

  /** An endpoint in front of another provider was closed that was bound to the queue. */
  private boolean hasLostEndpoint;

  /**
   * Of a queue that is open.
   *
   * @param descriptor that becomes readable when the queue has something; negative for none
   */
  QueueIdling(FabricDomain domain, Arena arena, Waiting waiting, long queue, int descriptor) {
    this.domain = domain;
    this.queue = queue;
    this.waiting = waiting;
    spinNs = Waiting.nanos(waiting.spin());
    yieldNs = Waiting.nanos(waiting.yield());
    sleep = new DescriptorSleep(arena, descriptor);
  }

  /** How often one native call polls. */
  int rounds() {
    return spinNs == 0 ? 1 : SPIN_ROUNDS;
  }

  /** Whether it sleeps on a descriptor: rxm asks endpoints that are closed, and crashes. */
  boolean usesDescriptor() {
    return sleep.hasDescriptor() && !hasLostEndpoint;
  }

  void lostEndpoint() {
    hasLostEndpoint |= domain.address().isLayered();
  }

  /** The descriptor to sleep on; -1 while the queue has to be polled first. */
  int readyDescriptor() {
    return mayWait() ? sleep.descriptor() : -1;
  }

  private boolean mayWait() {
    return FabricLibrary.mayWait(domain.calls(), domain.nativeDomain().fabric(), queue);
  }

  @SuppressWarnings("ThreadPriorityCheck") // Others have their turns: what Waiting says.
  void idle(long waitedNs, long leftNs) {
    if (waitedNs < spinNs) {
      Thread.onSpinWait();
    } else if (!waiting.sleeps() || waitedNs - spinNs < yieldNs) {
      Thread.yield();
    } else if (!usesDescriptor()) {
      sleep.briefly(waitedNs, leftNs);
      domain.maintain();
    } else if (mayWait()) {
      sleep.sleep(Math.min(leftNs, SLEEP_NS));
      domain.maintain();
    }
  }
}
