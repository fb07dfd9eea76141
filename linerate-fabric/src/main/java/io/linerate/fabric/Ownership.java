package io.linerate.fabric;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Whose thread a domain is: everything of it is used by that one alone. */
final class Ownership {
  private final AtomicReference<@Nullable Thread> owner =
      new AtomicReference<>(Thread.currentThread());

  /**
   * @throws FabricException if the caller is another thread
   */
  @SuppressWarnings("ReferenceEquality") // Threads are themselves.
  void check() {
    // A thread sees what it has set itself; what others set is not it.
    if (Thread.currentThread() != owner.getPlain()) {
      throw stranger();
    }
  }

  /** Whose it is; null where nobody has it. */
  @Nullable Thread owner() {
    return owner.get();
  }

  private FabricException stranger() {
    Thread current = owner.get();
    return current == null
        ? new FabricException(
            "a fabric domain belongs to no thread: caller=%s; take it before it is used"
                .formatted(Thread.currentThread().getName()))
        : new FabricException(
            "a fabric domain belongs to another thread: owner=%s, caller=%s; use it on its own thread, or hand it over there"
                .formatted(current.getName(), Thread.currentThread().getName()));
  }

  /** Gives it to another thread, which has to learn of it safely, such as by its start. */
  void handOver(Thread to) {
    check();
    owner.set(to);
  }

  /** Gives it to nobody. */
  void release() {
    check();
    owner.set(null);
  }

  /**
   * @throws FabricException if somebody has it
   */
  void take() {
    if (!owner.compareAndSet(null, Thread.currentThread())) {
      throw stranger();
    }
  }
}
