package io.linerate.core.memory;

/**
 * The thread that bursts belong to: whatever one worker hands to its handlers shares one of these,
 * and throws on any other thread. The check is a comparison that the compiler takes out of loops.
 */
public final class OwnerThread {
  private Thread thread = Thread.currentThread();

  /** What shares this belongs to the calling thread from now on. */
  public void bind() {
    thread = Thread.currentThread();
  }

  /**
   * Returns on the owner's thread only.
   *
   * @throws WrongThreadException on any other
   */
  @SuppressWarnings("ReferenceEquality") // A thread is itself only.
  public void require() {
    if (Thread.currentThread() != thread) {
      throw wrongThread();
    }
  }

  private WrongThreadException wrongThread() {
    return new WrongThreadException(
        "packets are used on another thread: thread=%s, owner=%s; copy out what other threads need"
            .formatted(Thread.currentThread().getName(), thread.getName()));
  }
}
