package io.linerate.core.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * What workers need of the kernel: to wait, and to run where they should. As {@link SystemCalls},
 * they trust their arguments.
 */
public final class ThreadCalls {
  private static final MethodHandle PPOLL = CFunction.plain("ppoll");
  private static final MethodHandle EVENTFD = CFunction.plain("eventfd");
  private static final MethodHandle READ = CFunction.plain("read");
  private static final MethodHandle WRITE = CFunction.plain("write");
  private static final MethodHandle CLOSE = CFunction.plain("close");
  private static final int EFD_NONBLOCK = 0x800;
  private static final int EFD_CLOEXEC = 0x8_0000;
  private static final MethodHandle SET_AFFINITY = CFunction.withErrno("sched_setaffinity");
  private static final MethodHandle GET_AFFINITY = CFunction.withErrno("sched_getaffinity");

  private ThreadCalls() {}

  /**
   * Waits until a descriptor is readable, or what else it is asked for: ppoll(2).
   *
   * @param descriptors address of {@code count} times a {@code struct pollfd}
   * @param timespec address of a {@code struct timespec}: the longest time
   * @return how many are ready, or a negative number
   */
  public static int ppoll(long descriptors, int count, long timespec) {
    try {
      return (int) (long) PPOLL.invokeExact(descriptors, (long) count, timespec, 0L, 0L, 0L);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  /** A descriptor that is readable once it is written, until it is read: eventfd(2). */
  public static int eventDescriptor() {
    return (int) CFunction.call(EVENTFD, 0, EFD_NONBLOCK | EFD_CLOEXEC);
  }

  /** Makes it readable. Any thread. */
  public static void signal(int eventDescriptor, MemorySegment one) {
    long _ = exact(WRITE, eventDescriptor, one.address());
  }

  /** Makes it unreadable again. */
  public static void clear(int eventDescriptor, MemorySegment into) {
    long _ = exact(READ, eventDescriptor, into.address());
  }

  /** Of a constant handle, on eight bytes: makes no object, as workers sleep and wake often. */
  private static long exact(MethodHandle function, long descriptor, long address) {
    try {
      return (long) function.invokeExact(descriptor, address, 8L, 0L, 0L, 0L);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  public static void close(int descriptor) {
    long _ = CFunction.call(CLOSE, descriptor);
  }

  /**
   * sched_setaffinity(2).
   *
   * @param thread the kernel's number of it, 0 for the calling one
   * @return 0 or {@code -errno}
   */
  public static int setAffinity(int thread, MemorySegment mask) {
    return call(SET_AFFINITY, thread, mask);
  }

  /** sched_getaffinity(2), as {@link #setAffinity}. */
  public static int getAffinity(int thread, MemorySegment mask) {
    return call(GET_AFFINITY, thread, mask);
  }

  private static int call(MethodHandle function, long thread, MemorySegment mask) {
    long bytes = mask.byteSize();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CFunction.STATE);
      long returned = (long) function.invokeExact(state, thread, bytes, mask.address(), 0L, 0L, 0L);
      return CFunction.intResult(state, returned);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }
}
