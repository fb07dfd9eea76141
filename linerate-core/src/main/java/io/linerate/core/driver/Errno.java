package io.linerate.core.driver;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Numbers of errno.h, the same on every architecture, and their texts. */
public final class Errno {
  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int EINTR = 4;
  public static final int EIO = 5;
  public static final int ENXIO = 6;
  public static final int EAGAIN = 11; // And EWOULDBLOCK.
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EBUSY = 16;
  public static final int EEXIST = 17;
  public static final int ENODEV = 19;
  public static final int EINVAL = 22;
  public static final int ENOSPC = 28;
  public static final int ERANGE = 34;
  public static final int ENOSYS = 38;
  public static final int EBADFD = 77;
  public static final int EMSGSIZE = 90;
  public static final int EOPNOTSUPP = 95;
  public static final int EAFNOSUPPORT = 97;
  public static final int EADDRINUSE = 98;
  public static final int ENETDOWN = 100;
  public static final int ENOBUFS = 105;
  public static final int ENOTCONN = 107;
  public static final int EALREADY = 114;

  private static final MethodHandle STRERROR = CFunction.plain("strerror");

  private Errno() {}

  /** The text of a call's negative result, such as {@code -ENOMEM}, with its number. */
  @SuppressWarnings("restricted")
  public static String text(long negative) {
    long text = CFunction.call(STRERROR, -negative);
    return MemorySegment.ofAddress(text).reinterpret(256).getString(0)
        + " (errno "
        + -negative
        + ")";
  }
}
