package io.linerate.core.driver;

/**
 * What the virtual machine makes of SIGBUS: a mapped file became shorter, or its disk failed or is
 * full. It is an {@link InternalError}, thrown at the thread's next safepoint poll: at the access,
 * or later, in code that has nothing to do with it. {@link #settle} polls.
 */
public final class MappedFileFault {
  /** What to tell of it, and what to do. */
  public static final String SENTENCE =
      "a mapped file became shorter, or its disk failed or is full; see that nobody changes the file meanwhile";

  /** Of the virtual machine's messages; older ones speak of a recent access. */
  private static final String MESSAGE = "unsafe memory access operation";

  private static final Object UNUSED_LOCK = new Object();

  private MappedFileFault() {}

  /**
   * Throws what the virtual machine would throw later: call it at the end of a {@code try} that
   * answers for what was accessed in there. It takes some 20 ns: once for each burst.
   */
  public static void settle() {
    boolean _ = Thread.holdsLock(UNUSED_LOCK); // A native method: returning from it polls.
  }

  /** As {@link #settle()}, if a packet was accessed that lies in a mapped file. */
  public static void settle(long mbuf) {
    if (Mbuf.isInFile(mbuf)) {
      settle();
    }
  }

  /** Whether it is that, and not an error that somebody has thrown who reads packets. */
  public static boolean is(Throwable e) {
    return e.getClass() == InternalError.class
        && e.getMessage() != null
        && e.getMessage().contains(MESSAGE);
  }
}
