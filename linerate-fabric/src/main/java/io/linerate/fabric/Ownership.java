package io.linerate.fabric;

import io.linerate.fabric.host.Owner;
import org.jspecify.annotations.Nullable;

/** Whose thread a domain is: everything of it is used by that one alone. */
final class Ownership {
  private final boolean isChecked;
  private Thread owner = Thread.currentThread();

  Ownership(Owner rule) {
    isChecked = rule == Owner.ONE_THREAD;
  }

  /**
   * @throws FabricException if the caller is another thread
   */
  @SuppressWarnings("ReferenceEquality") // Threads are themselves.
  void check() {
    if (isChecked && Thread.currentThread() != owner) {
      throw stranger();
    }
  }

  /** Whose it is; null where a lock says so. */
  @Nullable Thread owner() {
    return isChecked ? owner : null;
  }

  private FabricException stranger() {
    return new FabricException(
        "a fabric domain belongs to another thread: owner=%s, caller=%s; use it on its own thread, or hand it over there"
            .formatted(owner.getName(), Thread.currentThread().getName()));
  }

  /** Gives it to another thread, which has to learn of it safely, such as by its start. */
  void handOver(Thread to) {
    check();
    owner = to;
  }
}
