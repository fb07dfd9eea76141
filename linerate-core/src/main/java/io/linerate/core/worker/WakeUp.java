package io.linerate.core.worker;

import io.linerate.core.driver.ThreadCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Ends the sleep of a worker, or keeps it from the next one: an eventfd(2) that it waits on with
 * what its queues have. {@link #run} is for any thread, the rest for the worker's.
 */
final class WakeUp implements Runnable, AutoCloseable {
  private final MemorySegment one = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_LONG, 1);
  private final MemorySegment read = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);

  // Whoever writes one of these reads the other then, so that one of both sides sees the other.
  private volatile boolean isSignalled;
  private volatile boolean isSleeping;

  /** Made when it is needed: most programs for files never sleep. Guarded by this. */
  private int descriptor = -1;

  /** Whether it is too late, or none could be made. */
  private boolean isClosed;

  @Override
  public void run() {
    isSignalled = true;
    if (isSleeping) {
      signal();
    }
  }

  private synchronized void signal() {
    if (!isClosed) {
      ThreadCalls.signal(descriptor, one);
    }
  }

  /** A descriptor that is readable when the sleep is to end; negative if there is none. */
  synchronized int descriptor() {
    if (descriptor < 0 && !isClosed) {
      descriptor = ThreadCalls.eventDescriptor();
      isClosed = descriptor < 0;
    }
    return isClosed ? -1 : descriptor;
  }

  /** The worker is about to sleep: whether it may. What is signalled from now on ends the sleep. */
  boolean begin() {
    int _ = descriptor();
    isSleeping = true;
    if (isSignalled) {
      end(false);
      return false;
    }
    return true;
  }

  /**
   * The worker does not sleep any more.
   *
   * @param isReadable whether the descriptor is
   */
  void end(boolean isReadable) {
    isSleeping = false;
    isSignalled = false;
    if (isReadable) {
      ThreadCalls.clear(descriptor(), read);
    }
  }

  @Override
  public synchronized void close() {
    if (!isClosed && descriptor >= 0) {
      ThreadCalls.close(descriptor);
    }
    isClosed = true;
  }
}
