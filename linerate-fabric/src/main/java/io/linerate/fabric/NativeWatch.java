package io.linerate.fabric;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells of native calls that do not return: libfabric's are to, at once, but a provider may have an
 * endless loop, or wait for a lock of a process that was killed. A thread of its own looks at all
 * domains and calls of this process twice a second, and ends when there are none.
 *
 * <p>It counts looks instead of time: a process that was stopped has waited for nobody.
 */
final class NativeWatch {
  private static final System.Logger LOG = System.getLogger(NativeWatch.class.getName());

  /** For the process, as providers are. */
  private static final NativeWatch OWN = new NativeWatch();

  private static final long ROUND_NS = 500_000_000;

  /** Rounds of one call after which it is told. */
  private static final int PATIENCE = 4;

  /** Rounds within which every process gives back what it has locked. */
  private static final int ROUNDS_OF_A_LOCK = 2;

  private static final String ADVICE =
      "; its thread stays there: use another process, or go on without what the thread was doing,"
          + " and see where it is with jstack and gdb";

  private final Set<CallCount> domains = ConcurrentHashMap.newKeySet();
  private final Set<Call> calls = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Thread thread;
  private int idleRounds;

  private NativeWatch() {}

  /** A call that is under way, of no domain's data path. */
  private static final class Call {
    final FabricFunction function;
    final int patience;
    final Thread caller = Thread.currentThread();
    volatile int rounds = -1; // The first round may come at once.

    Call(FabricFunction function, int patience) {
      this.function = function;
      this.patience = patience;
    }
  }

  /** Looks at a domain from now on. */
  static void add(CallCount domain) {
    OWN.domains.add(domain);
    OWN.start();
  }

  static void remove(CallCount domain) {
    OWN.domains.remove(domain);
  }

  /** Calls a function while it is looked at. */
  static long during(FabricFunction function, LongSupplier call) {
    return during(function, PATIENCE, call);
  }

  /** As {@link #during}, where the caller tells of it itself. */
  static long silently(FabricFunction function, LongSupplier call) {
    return during(function, Integer.MAX_VALUE, call);
  }

  private static long during(FabricFunction function, int patience, LongSupplier call) {
    Call made = new Call(function, patience);
    OWN.calls.add(made);
    OWN.start();
    try {
      return call.getAsLong();
    } finally {
      OWN.calls.remove(made);
      if (made.rounds >= patience) {
        LOG.log(
            System.Logger.Level.INFO,
            "a native call has returned after all: call={0}, thread={1}",
            function,
            made.caller.getName());
      }
    }
  }

  private void start() {
    if (thread == null) {
      startNow();
    }
  }

  private synchronized void startNow() {
    if (thread == null) {
      idleRounds = 0;
      thread = Thread.ofPlatform().daemon().name("linerate-fabric-watch").start(this::run);
    }
  }

  private void run() {
    while (goesOn()) {
      LockSupport.parkNanos(ROUND_NS);
      calls.forEach(this::check);
      domains.forEach(this::check);
    }
  }

  private synchronized boolean goesOn() {
    idleRounds = domains.isEmpty() && calls.isEmpty() ? idleRounds + 1 : 0;
    if (idleRounds <= PATIENCE) {
      return true;
    }
    thread = null;
    if (domains.isEmpty() && calls.isEmpty()) {
      return false; // Whoever comes now sees that there is none, and starts another.
    }
    idleRounds = 0;
    thread = Thread.currentThread();
    return true;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // Of this thread alone.
  private void check(Call call) {
    if (++call.rounds >= ROUNDS_OF_A_LOCK) {
      releaseLocks();
    }
    if (call.rounds == call.patience) {
      tell("call=%s, thread=%s".formatted(call.function, call.caller.getName()));
    }
  }

  private void check(CallCount domain) {
    int rounds = domain.rounds();
    if (rounds >= ROUNDS_OF_A_LOCK && domain.domain().address().isSharedMemory()) {
      releaseLocks();
    }
    if (rounds == PATIENCE) {
      tell(domain.text());
    }
  }

  private void releaseLocks() {
    KeptLocks.release(name -> domains.stream().anyMatch(each -> each.domain().isLongLost(name)));
  }

  private static void tell(String what) {
    LOG.log(
        System.Logger.Level.WARNING,
        "a native call of the fabric has not returned for {0} s: {1}{2}",
        PATIENCE * ROUND_NS / 1_000_000_000,
        what,
        ADVICE);
  }
}
