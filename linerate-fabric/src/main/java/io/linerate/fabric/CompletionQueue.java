package io.linerate.fabric;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Where operations end, of as many endpoints as are bound to it (fi_cq(3)). {@link
 * FabricDomain#completionQueue} makes one. Polling also is what makes operations go on: a provider
 * without threads of its own works only then, for the peer's operations, too.
 *
 * <p>It cannot overrun: an endpoint takes a descriptor only while there is room for its completion,
 * and what comes without one is kept by the provider.
 *
 * <p>Handlers ({@link Descriptor#whenComplete}) may post, poll, and close what they like. When one
 * throws, polling throws that; the handlers of what has ended with it are called by the next poll.
 */
public final class CompletionQueue implements AutoCloseable {
  /** {@link #descriptorToSleepOn}: poll again after a while. */
  public static final int NO_DESCRIPTOR = -1;

  /** {@link #descriptorToSleepOn}: there may be something. */
  public static final int POLL_NOW = -2;

  /** Polls without a completion after which connections and peers are checked. */
  private static final int POLLS_BEFORE_MAINTENANCE = 256;

  private final FabricDomain domain;
  private final CallCount calls;
  private final int entries;
  private final long handle;
  private final BoundObject bound;
  private final QueueIdling idling;
  private final Completions own;
  private final PostBatch batch;
  private final HeldCompletions held = new HeldCompletions();

  /** What has ended, and whose handlers are still to be called. */
  private final Deque<Descriptor> ended = new ArrayDeque<>();

  private int expected;
  private int emptyPolls;

  CompletionQueue(FabricDomain domain, Arena arena, int entries, Waiting waiting) {
    this.domain = domain;
    calls = domain.calls();
    this.entries = entries;
    long opened = 0;
    int descriptor = -1;
    if (waiting.sleeps()) {
      try {
        opened = open(domain, entries, true);
        descriptor = FabricFunction.DESCRIPTOR.call(opened);
      } catch (FabricException e) {
        // shm has no descriptor to sleep on.
        descriptor = -1;
      }
    }
    handle = opened != 0 ? opened : open(domain, entries, false);
    bound = new BoundObject(domain, "completion queue", handle);
    idling = new QueueIdling(domain, arena, waiting, handle, descriptor);
    own = new Completions(domain, arena, 16);
    batch = new PostBatch(domain, arena);
  }

  private static long open(FabricDomain domain, int entries, boolean hasDescriptor) {
    return NativeObject.open(
        "a completion queue cannot be opened: entries=" + entries + ",",
        FabricFunction.COMPLETION_QUEUE,
        domain.handle(),
        entries,
        hasDescriptor ? 1 : 0);
  }

  FabricDomain domain() {
    return domain;
  }

  long handle() {
    requireOpen();
    return handle;
  }

  /** Throws unless endpoints of a domain can be bound to it. */
  void requireFor(FabricDomain other) {
    bound.requireFor(other);
  }

  /**
   * Whether threads that wait sleep until something comes: the provider has a descriptor for it.
   * Otherwise they sleep for short times. It changes when an endpoint of tcp+rxm is closed.
   */
  public boolean canSleep() {
    domain.requireOwner();
    return idling.usesDescriptor();
  }

  /**
   * Asked by a thread that is about to sleep: what poll(2) finds readable when something has come.
   *
   * @return a file descriptor, {@link #POLL_NOW}, or {@link #NO_DESCRIPTOR} where the provider has
   *     none
   */
  public int descriptorToSleepOn() {
    requireOpen();
    if (!idling.usesDescriptor()) {
      return NO_DESCRIPTOR;
    }
    boolean isEmpty = held.isEmpty() && ended.isEmpty() && batch.size() == 0;
    int descriptor = isEmpty ? idling.readyDescriptor() : -1;
    return descriptor >= 0 ? descriptor : POLL_NOW;
  }

  /** Descriptors that are posted, and end here. */
  public int expected() {
    domain.requireOwner();
    return expected;
  }

  boolean hasRoom() {
    return expected < entries;
  }

  void expect() {
    expected++;
  }

  /**
   * Has a descriptor posted by the next poll, which is prepared and counts as posted. Those behind
   * it wait for it: memory takes messages in the order in which it was posted.
   *
   * @return false if there is no room
   */
  boolean postWithPoll(Receiver receiver, Descriptor descriptor) {
    if (!batch.hasRoom() && !postBatch()) {
      return false;
    }
    batch.add(receiver.handle(), descriptor.address());
    return true;
  }

  /**
   * Posts what the next poll would: one for which there is no room stays, with those behind it.
   *
   * @return whether none is left
   */
  boolean postBatch() {
    return batch.postAll();
  }

  /**
   * Takes the completions that are there.
   *
   * @param into of the same domain
   * @return how many, at most as many as the array has room for; 0 if there are none
   */
  public int poll(Completions into) {
    return poll(into, 1);
  }

  private int poll(Completions into, int rounds) {
    requireOpen();
    requireUsable(into);
    into.clear();
    if (held.isEmpty()) {
      pollNative(into, rounds);
    } else {
      boolean _ = postBatch();
      held.giveTo(into);
    }
    for (int i = 0; i < into.size(); i++) {
      Descriptor descriptor = into.descriptor(i);
      if (descriptor != null && into.hasEnded(i) && descriptor.hasHandler()) {
        ended.add(descriptor);
      }
    }
    if (into.size() == 0) {
      maintainNowAndThen();
    }
    if (!ended.isEmpty()) {
      into.busy(true);
      try {
        callHandlers();
      } finally {
        into.busy(false);
      }
    }
    return into.size();
  }

  private void requireUsable(Completions into) {
    if (into.domain() != domain || into.isBusy()) {
      throw new FabricException(
          into.isBusy()
              ? "completions are in use: a handler is called for one of them; poll into others"
              : "completions belong to another domain: domain=%s; ask the queue's domain for some"
                  .formatted(into.domain().address()));
    }
  }

  /** Takes what the provider has; handlers are not called. */
  private int pollNative(Completions into, int rounds) {
    long count =
        FabricLibrary.poll(
            calls,
            handle,
            into.entries(),
            (long) rounds << Integer.SIZE | into.capacity(),
            into.sources(),
            into.failure(),
            batch.address());
    if (batch.size() > 0) {
      boolean _ = postBatch(); // Full, or one of them has failed.
    }
    if (count > 0) {
      expected -= into.take((int) count);
    } else if (count == -FabricError.FI_EAVAIL) {
      expected -= into.takeFailure();
    } else if (count < 0) {
      throw FabricException.of("completions cannot be polled:", count);
    }
    return into.size();
  }

  private void maintainNowAndThen() {
    if (++emptyPolls >= POLLS_BEFORE_MAINTENANCE) {
      emptyPolls = 0;
      domain.maintain();
    }
  }

  /** What one of them has posted again has not ended for others that follow. */
  private void callHandlers() {
    while (!ended.isEmpty() && !bound.isClosed()) {
      Descriptor descriptor = ended.poll();
      if (!descriptor.isHeld()) {
        descriptor.notifyHandler();
      }
    }
  }

  /**
   * Waits until there are completions.
   *
   * @return how many; 0 when time is over, or the thread is interrupted
   */
  public int await(Completions into, Duration timeout) {
    int rounds = idling.rounds();
    int count = poll(into, rounds);
    return count == 0 ? awaitNext(into, timeout, rounds) : count;
  }

  /** Time counts from the first poll in vain: asking for it takes as long as a poll. */
  private int awaitNext(Completions into, Duration timeout, int rounds) {
    long start = System.nanoTime();
    long timeoutNs = Waiting.nanos(timeout);
    int count = 0;
    while (count == 0) {
      long waited = System.nanoTime() - start;
      if (waited >= timeoutNs || Thread.currentThread().isInterrupted()) {
        return 0;
      }
      idling.idle(waited, timeoutNs - waited);
      count = poll(into, rounds);
    }
    return count;
  }

  /**
   * Waits until a descriptor is idle: its operation has completed or failed ({@link
   * Descriptor#error}). Other descriptors end meanwhile, too: their own state tells, and what they
   * call. What is about no descriptor is left to be polled.
   *
   * @return whether it is; false when time is over, or the thread is interrupted
   */
  public boolean await(Descriptor descriptor, Duration timeout) {
    requireOpen();
    long start = System.nanoTime();
    long timeoutNs = Waiting.nanos(timeout);
    int rounds = idling.rounds();
    while (isUnderWay(descriptor)) {
      if (collect(rounds) == 0) {
        long waited = System.nanoTime() - start;
        if (waited >= timeoutNs || Thread.currentThread().isInterrupted()) {
          return false;
        }
        idling.idle(waited, timeoutNs - waited);
      }
    }
    return true;
  }

  private boolean isUnderWay(Descriptor descriptor) {
    Receiver receiver = descriptor.receiver();
    if (receiver != null && receiver.queue() != this) {
      throw new FabricException(
          "a descriptor ends at another completion queue: index=%d; wait at its endpoint's"
              .formatted(descriptor.index()));
    }
    return receiver != null && !descriptor.isAbandoned();
  }

  /** Makes operations go on; what ends tells it by its descriptor, or is left to be polled. */
  void progress() {
    collect(1);
  }

  private int collect(int rounds) {
    requireOpen();
    own.clear();
    int count = pollNative(own, rounds);
    for (int i = 0; i < count; i++) {
      Descriptor descriptor = own.descriptor(i);
      if (descriptor != null && own.hasEnded(i)) {
        ended.add(descriptor);
      } else {
        held.add(own, i);
      }
    }
    if (count == 0) {
      maintainNowAndThen();
    }
    callHandlers(); // One of them may poll: nothing of its own array is needed any more.
    return count;
  }

  /**
   * Does what its {@link Waiting} says for a thread that has polled in vain: nothing, lets others
   * have their turn, or sleeps.
   *
   * @param waitedNs how long it has waited until now
   * @param leftNs how long it may sleep
   */
  public void pause(long waitedNs, long leftNs) {
    requireOpen();
    idling.idle(waitedNs, leftNs);
  }

  /** What has happened to an endpoint, for whoever polls. */
  void tell(Receiver receiver, FabricError error) {
    if (!bound.isClosed()) {
      held.tell(receiver, error);
    }
  }

  /** An operation has failed that the provider does not end. */
  void abandon(Descriptor descriptor, FabricError error) {
    held.abandoned(descriptor, error);
    descriptor.abandon(error);
  }

  /** An operation has ended on this side; whoever polls is told. */
  void end(Descriptor descriptor, FabricError error) {
    Receiver receiver = descriptor.receiver();
    descriptor.dropped(error);
    expected--;
    held.ended(descriptor, receiver, error);
  }

  /**
   * Takes what the provider has now, for whoever polls next; looks so often while there is nothing.
   */
  void hold(int rounds) {
    own.clear();
    while (pollNative(own, rounds) > 0) {
      for (int i = 0; i < own.size(); i++) {
        held.add(own, i);
      }
      own.clear();
    }
  }

  /**
   * A receiver is closed: its descriptors end, and nothing of it is polled any more.
   *
   * @param isKept whether the provider still has it, and so what was to be sent
   */
  void drop(Receiver receiver, boolean isKept) {
    if (bound.isClosed()) {
      return;
    }
    idling.lostEndpoint();
    expected -= batch.drop(receiver, FabricError.ofClosedEndpoint());
    hold(1);
    held.drop(receiver);
    expected -= domain.descriptors().endAll(receiver, isKept);
  }

  private void requireOpen() {
    bound.requireOpen();
  }

  /**
   * Ends it.
   *
   * @throws FabricException if an endpoint is bound to it
   */
  @Override
  public void close() {
    bound.close(this);
  }

  /** With its domain. */
  void end() {
    bound.end();
  }
}
