package io.linerate.stream.codec;

import java.lang.ref.Cleaner;

/**
 * Native memory that belongs to an object: it is freed once, when it is closed, or after nobody has
 * the object any more. Who has native code work on it calls {@code Reference.reachabilityFence} of
 * the object afterwards: nobody may have it while the call lasts.
 */
final class NativeState {
  private static final Cleaner CLEANER = Cleaner.create();

  private final Cleaner.Cleanable memory;

  /**
   * Memory of an object.
   *
   * @param free knows nothing of the object; called on any thread
   */
  NativeState(Object owner, Runnable free) {
    memory = CLEANER.register(owner, free);
  }

  void free() {
    memory.clean();
  }
}
