package io.linerate.stream.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Holds native state to one thread, the first that uses it, and to the time before it is closed:
 * two threads in it at once, or one in freed memory, would end the process.
 */
@SuppressWarnings("ReferenceEquality") // Threads are told apart by what they are.
final class OneThread {
  private static final VarHandle OWNER = owner();

  @SuppressWarnings("unused") // By its handle.
  private @Nullable Thread owner;

  private boolean isClosed;

  private static VarHandle owner() {
    try {
      return MethodHandles.lookup().findVarHandle(OneThread.class, "owner", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Before each use. */
  void check() {
    if (owner != Thread.currentThread()) {
      claim(false);
    }
    if (isClosed) {
      throw new IllegalStateException("used after it was closed; open another");
    }
  }

  /** The next thread that uses it owns it. */
  void release() {
    check();
    OWNER.setRelease(this, (Thread) null);
  }

  /** Whether it was open: from now on it is not. */
  boolean close() {
    claim(true);
    boolean wasOpen = !isClosed;
    isClosed = true;
    return wasOpen;
  }

  /** What a thread has done that has ended is seen by whoever knows that. */
  private void claim(boolean isToClose) {
    Thread current = Thread.currentThread();
    Thread before = (Thread) OWNER.compareAndExchange(this, (Thread) null, current);
    if (before == null || before == current) {
      return;
    }
    if (!isToClose || before.isAlive()) {
      throw new IllegalStateException(
          "one thread's own is used by another: owner=%s, thread=%s; open one for each thread"
              .formatted(before.getName(), current.getName()));
    }
  }
}
