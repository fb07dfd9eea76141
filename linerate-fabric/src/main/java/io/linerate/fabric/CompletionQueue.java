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
 */
public final class CompletionQueue implements AutoCloseable {
  private static final int ERROR_AVAILABLE = -259;

  /** Looks of one native call while a thread spins: a call costs as much as a look. */
  private static final int SPIN_ROUNDS = 32;

  /** Polls without a completion after which connections and peers are looked after. */
  private static final int POLLS_BETWEEN_LOOKS = 256;

  private static final long SLEEP_NS = 10_000_000;

  private final FabricDomain domain;
  private final Waiting waiting;
  private final int entries;
  private final long handle;
  private final DescriptorSleep sleep;
  private final Completions own;
  private final Deque<HeldCompletion> held = new ArrayDeque<>();
  private int expected;
  private int emptyPolls;
  private boolean isClosed;

  CompletionQueue(FabricDomain domain, Arena arena, int entries, Waiting waiting) {
    this.domain = domain;
    this.entries = entries;
    this.waiting = waiting;
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
    sleep = new DescriptorSleep(arena, descriptor);
    own = new Completions(domain, arena, 16);
  }

  private static long open(FabricDomain domain, int entries, boolean hasDescriptor) {
    return NativeObject.open(
        "a completion queue cannot be opened: entries=" + entries + ",",
        FabricFunction.COMPLETION_QUEUE,
        domain.handle(),
        entries,
        hasDescriptor ? 1 : 0);
  }

  long handle() {
    requireOpen();
    return handle;
  }

  /**
   * Whether threads that wait sleep until something comes: the provider has a descriptor for it.
   */
  public boolean canSleep() {
    return sleep.hasDescriptor();
  }

  /** Descriptors that are posted, and end here. */
  public int expected() {
    return expected;
  }

  boolean hasRoom() {
    return expected < entries;
  }

  void expect() {
    expected++;
  }

  /**
   * Takes the completions that are there.
   *
   * @return how many, at most as many as the array has room for; 0 if there are none
   */
  public int poll(Completions into) {
    return poll(into, 1);
  }

  private int poll(Completions into, int rounds) {
    requireOpen();
    into.clear();
    if (!held.isEmpty()) {
      return takeHeld(into);
    }
    int count = pollNative(into, rounds);
    if (count == 0) {
      if (++emptyPolls >= POLLS_BETWEEN_LOOKS) {
        emptyPolls = 0;
        domain.look();
      }
      return 0;
    }
    for (int i = 0; i < count; i++) {
      Descriptor descriptor = into.descriptor(i);
      if (descriptor != null && !descriptor.isPosted()) {
        descriptor.notifyHandler();
      }
    }
    return count;
  }

  /** Takes what the provider has; handlers are not called. */
  private int pollNative(Completions into, int rounds) {
    long count =
        FabricLibrary.poll(
            handle, into.entries(), into.capacity(), into.sources(), into.failure(), rounds);
    if (count > 0) {
      into.take((int) count);
    } else if (count == ERROR_AVAILABLE) {
      into.takeFailure();
    } else if (count < 0) {
      throw FabricException.of("completions cannot be polled:", count);
    }
    for (int i = 0; i < into.size(); i++) {
      Descriptor descriptor = into.descriptor(i);
      expected -= descriptor != null && !descriptor.isPosted() ? 1 : 0;
    }
    return into.size();
  }

  private int takeHeld(Completions into) {
    while (!held.isEmpty() && into.size() < into.capacity()) {
      HeldCompletion next = held.poll();
      into.add(next);
      Descriptor descriptor = next.descriptor();
      if (descriptor != null && !descriptor.isPosted()) {
        descriptor.notifyHandler();
      }
    }
    return into.size();
  }

  /**
   * Waits until there are completions.
   *
   * @return how many; 0 when time is over, or the thread is interrupted
   */
  public int await(Completions into, Duration timeout) {
    long start = System.nanoTime();
    long timeoutNs = timeout.toNanos();
    int rounds = waiting.spin().isZero() ? 1 : SPIN_ROUNDS;
    int count = poll(into, rounds);
    while (count == 0) {
      long waited = System.nanoTime() - start;
      if (waited >= timeoutNs || Thread.currentThread().isInterrupted()) {
        return 0;
      }
      idle(waited, timeoutNs - waited);
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
    long start = System.nanoTime();
    long timeoutNs = timeout.toNanos();
    int rounds = waiting.spin().isZero() ? 1 : SPIN_ROUNDS;
    while (isUnderWay(descriptor)) {
      if (collect(rounds) == 0) {
        long waited = System.nanoTime() - start;
        if (waited >= timeoutNs || Thread.currentThread().isInterrupted()) {
          return false;
        }
        idle(waited, timeoutNs - waited);
      }
    }
    return true;
  }

  private static boolean isUnderWay(Descriptor descriptor) {
    return descriptor.isPosted() && !descriptor.isAbandoned();
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
      if (descriptor == null || descriptor.isPosted()) {
        held.add(own.get(i));
      } else {
        descriptor.notifyHandler();
      }
    }
    if (count == 0 && ++emptyPolls >= POLLS_BETWEEN_LOOKS) {
      emptyPolls = 0;
      domain.look();
    }
    return count;
  }

  @SuppressWarnings("ThreadPriorityCheck") // Others have their turns: what Waiting says.
  private void idle(long waitedNs, long leftNs) {
    if (waitedNs < waiting.spin().toNanos()) {
      Thread.onSpinWait();
    } else if (!waiting.sleeps()
        || waitedNs - waiting.spin().toNanos() < waiting.yield().toNanos()) {
      Thread.yield();
    } else if (!sleep.hasDescriptor()
        || FabricFunction.MAY_WAIT.call(domain.fabric(), handle) == 0) {
      sleep.sleep(Math.min(leftNs, SLEEP_NS));
      domain.look();
    }
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
    idle(waitedNs, leftNs);
  }

  /** What has happened to an endpoint, for whoever polls. */
  void tell(Receiver receiver, FabricError error) {
    if (!isClosed) {
      held.add(HeldCompletion.of(null, receiver, error));
    }
  }

  /** An operation has failed that the provider does not end. */
  void abandon(Descriptor descriptor, FabricError error) {
    held.add(HeldCompletion.of(descriptor, descriptor.receiver(), error));
    descriptor.abandon(error);
  }

  /** The provider gives back memory that was posted for messages. */
  void cancelReceives(Receiver receiver) {
    domain.forEachPosted(descriptor -> {
      if (descriptor.receiver() == receiver && descriptor.operation().isReceive()) {
        FabricFunction.CANCEL.callLong(receiver.handle(), descriptor.address());
      }
    });
  }

  /**
   * A receiver is closed: its descriptors end, and nothing of it is polled any more.
   *
   * @param isKept whether the provider still has it, and so what was to be sent
   */
  void drop(Receiver receiver, boolean isKept) {
    if (isClosed) {
      return;
    }
    own.clear();
    while (pollNative(own, 1) > 0) {
      for (int i = 0; i < own.size(); i++) {
        if (own.receiver(i) != receiver) {
          held.add(own.get(i));
        }
      }
      own.clear();
    }
    held.removeIf(entry -> entry.receiver() == receiver);
    domain.forEachPosted(descriptor -> {
      if (descriptor.receiver() == receiver) {
        FabricError told = descriptor.error();
        FabricError error =
            descriptor.isAbandoned() && told != null
                ? told
                : FabricError.of(FabricError.Kind.CANCELED, "the endpoint was closed");
        if (isKept) {
          descriptor.abandon(error);
        } else {
          descriptor.failed(error);
          expected--;
        }
      }
    });
  }

  private void requireOpen() {
    domain.check();
    if (isClosed) {
      throw new FabricException("a completion queue is closed: ask the domain for another");
    }
  }

  /** Ends it; to be closed after the endpoints that are bound to it. */
  @Override
  public void close() {
    domain.check();
    if (!isClosed) {
      domain.forget(this);
      end();
    }
  }

  /** With its domain. */
  void end() {
    isClosed = true;
    domain.closeNative("completion queue", handle);
  }
}
