package io.linerate.core.driver;

/**
 * What the virtual machine makes of SIGBUS: a mapped file became shorter, or its disk failed or is
 * full. It is an {@link InternalError}, thrown at the access or somewhat later.
 */
public final class MappedFileFault {
  /** What to tell of it, and what to do. */
  public static final String SENTENCE =
      "a mapped file became shorter, or its disk failed or is full; see that nobody changes the file meanwhile";

  /** Of the virtual machine's messages; older ones speak of a recent access. */
  private static final String MESSAGE = "unsafe memory access operation";

  private MappedFileFault() {}

  /** Whether it is that, and not an error that somebody has thrown who reads packets. */
  public static boolean is(Throwable e) {
    return e.getClass() == InternalError.class
        && e.getMessage() != null
        && e.getMessage().contains(MESSAGE);
  }
}
