package io.linerate.driver.linux;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * What the drivers of this module need of the kernel. The functions return what C returns, and
 * {@code -errno} where that is an error; addresses are plain numbers, for which the caller answers.
 *
 * <p>One instance for each thread: it has a place of its own where calls leave errno, so that no
 * call makes an object.
 */
public final class SystemCalls {
  // errno.h, the same on every architecture.
  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int EINTR = 4;
  public static final int ENXIO = 6;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EBUSY = 16;
  public static final int EEXIST = 17;
  public static final int ENODEV = 19;
  public static final int EIO = 5;
  public static final int EINVAL = 22;
  public static final int ENOSPC = 28;
  public static final int E2BIG = 7;
  public static final int EMSGSIZE = 90;
  public static final int ENOPROTOOPT = 92;
  public static final int EOPNOTSUPP = 95;
  public static final int EADDRINUSE = 98;
  public static final int ENETDOWN = 100;
  public static final int ENOBUFS = 105;

  public static final int SOCK_DGRAM = 2;
  public static final int SOCK_RAW = 3;
  public static final int SOCK_CLOEXEC = 0x80000;
  public static final int SOL_SOCKET = 1;
  public static final int MSG_DONTWAIT = 0x40;
  public static final int O_RDWR = 2;
  public static final int O_NONBLOCK = 0x800;
  public static final int O_CLOEXEC = 0x80000;
  public static final int PROT_READ_WRITE = 1 | 2;
  public static final int MAP_SHARED = 1;
  public static final int MAP_PRIVATE = 2;
  public static final int MAP_ANONYMOUS = 0x20;
  public static final int MAP_POPULATE = 0x8000;
  public static final short POLLIN = 1;
  public static final short POLLOUT = 4;
  public static final short POLLERR = 8;

  /** Bytes of a {@code struct pollfd}: descriptor, events asked for, events that are. */
  public static final int POLLFD_BYTES = 8;

  /** The number of bpf(2), which the C library has no function for; asm/unistd.h. */
  private static final long SYS_BPF =
      switch (System.getProperty("os.arch")) {
        case "aarch64", "riscv64" -> 280;
        default -> 321; // x86_64
      };

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final Linker LINKER = Linker.nativeLinker();

  private static final MethodHandle SOCKET =
      bind("socket", FunctionDescriptor.of(INT, INT, INT, INT));
  private static final MethodHandle BIND = bind("bind", FunctionDescriptor.of(INT, INT, LONG, INT));
  private static final MethodHandle SETSOCKOPT =
      bind("setsockopt", FunctionDescriptor.of(INT, INT, INT, INT, LONG, INT));
  private static final MethodHandle GETSOCKOPT =
      bind("getsockopt", FunctionDescriptor.of(INT, INT, INT, INT, LONG, LONG));
  private static final MethodHandle IOCTL =
      bind("ioctl", FunctionDescriptor.of(INT, INT, LONG, LONG), Linker.Option.firstVariadicArg(2));
  private static final MethodHandle MMAP =
      bind("mmap", FunctionDescriptor.of(LONG, LONG, LONG, INT, INT, INT, LONG));
  private static final MethodHandle MUNMAP = bind("munmap", FunctionDescriptor.of(INT, LONG, LONG));
  private static final MethodHandle POLL =
      bind("poll", FunctionDescriptor.of(INT, LONG, LONG, INT));
  private static final MethodHandle PPOLL =
      bind("ppoll", FunctionDescriptor.of(INT, LONG, LONG, LONG, LONG));
  private static final MethodHandle SENDTO =
      bind("sendto", FunctionDescriptor.of(LONG, INT, LONG, LONG, INT, LONG, INT));
  private static final MethodHandle RECVFROM =
      bind("recvfrom", FunctionDescriptor.of(LONG, INT, LONG, LONG, INT, LONG, LONG));

  // Without errno: until it is compiled, a call with errno makes an object.
  private static final MethodHandle PLAIN_SENDTO =
      bindPlain("sendto", FunctionDescriptor.of(LONG, INT, LONG, LONG, INT, LONG, INT));
  private static final MethodHandle PLAIN_RECVFROM =
      bindPlain("recvfrom", FunctionDescriptor.of(LONG, INT, LONG, LONG, INT, LONG, LONG));
  private static final MethodHandle SENDMSG =
      bind("sendmsg", FunctionDescriptor.of(LONG, INT, LONG, INT));
  private static final MethodHandle SENDMMSG =
      bind("sendmmsg", FunctionDescriptor.of(INT, INT, LONG, INT, INT));
  private static final MethodHandle READ =
      bind("read", FunctionDescriptor.of(LONG, INT, LONG, LONG));
  private static final MethodHandle WRITE =
      bind("write", FunctionDescriptor.of(LONG, INT, LONG, LONG));
  private static final MethodHandle OPEN =
      bind("open", FunctionDescriptor.of(INT, POINTER, INT), Linker.Option.firstVariadicArg(2));
  private static final MethodHandle CLOSE = bind("close", FunctionDescriptor.of(INT, INT));
  private static final MethodHandle IF_NAMETOINDEX =
      bind("if_nametoindex", FunctionDescriptor.of(INT, POINTER));
  private static final MethodHandle SYSCALL3 =
      bind(
          "syscall",
          FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG),
          Linker.Option.firstVariadicArg(1));
  private static final MethodHandle STRERROR =
      bind("strerror", FunctionDescriptor.of(POINTER, INT));
  private static final VarHandle ERRNO =
      Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private final MemorySegment state = Arena.ofAuto().allocate(Linker.Option.captureStateLayout());

  public int socket(int domain, int type, int protocol) {
    try {
      return (int) result((int) SOCKET.invokeExact(state, domain, type, protocol));
    } catch (Throwable e) {
      throw failed("socket", e);
    }
  }

  public int bind(int descriptor, long address, int addressBytes) {
    try {
      return (int) result((int) BIND.invokeExact(state, descriptor, address, addressBytes));
    } catch (Throwable e) {
      throw failed("bind", e);
    }
  }

  public int setsockopt(int descriptor, int level, int option, long value, int valueBytes) {
    try {
      return (int)
          result((int) SETSOCKOPT.invokeExact(state, descriptor, level, option, value, valueBytes));
    } catch (Throwable e) {
      throw failed("setsockopt", e);
    }
  }

  /** Sets an option whose value is an int. Not for the packet path. */
  public int setsockopt(int descriptor, int level, int option, int value) {
    try (Arena arena = Arena.ofConfined()) {
      return setsockopt(descriptor, level, option, arena.allocateFrom(INT, value).address(), 4);
    }
  }

  /**
   * getsockopt(2).
   *
   * @param valueBytes address of an int: the room that there is, then what was written
   */
  public int getsockopt(int descriptor, int level, int option, long value, long valueBytes) {
    try {
      return (int)
          result((int) GETSOCKOPT.invokeExact(state, descriptor, level, option, value, valueBytes));
    } catch (Throwable e) {
      throw failed("getsockopt", e);
    }
  }

  public int ioctl(int descriptor, long request, long argument) {
    try {
      return (int) result((int) IOCTL.invokeExact(state, descriptor, request, argument));
    } catch (Throwable e) {
      throw failed("ioctl", e);
    }
  }

  /** Maps where the kernel likes; {@code -errno} is the only negative result. */
  public long mmap(long bytes, int protection, int flags, int descriptor, long offset) {
    try {
      return result(
          (long) MMAP.invokeExact(state, 0L, bytes, protection, flags, descriptor, offset));
    } catch (Throwable e) {
      throw failed("mmap", e);
    }
  }

  public int munmap(long address, long bytes) {
    try {
      return (int) result((int) MUNMAP.invokeExact(state, address, bytes));
    } catch (Throwable e) {
      throw failed("munmap", e);
    }
  }

  /**
   * poll(2).
   *
   * @param descriptors address of {@code count} times {@link #POLLFD_BYTES}
   */
  public int poll(long descriptors, int count, int timeoutMs) {
    try {
      return (int) result((int) POLL.invokeExact(state, descriptors, (long) count, timeoutMs));
    } catch (Throwable e) {
      throw failed("poll", e);
    }
  }

  /**
   * poll(2) with a time in ns.
   *
   * @param timespec address of a {@code struct timespec}: seconds and ns, 8 bytes each
   */
  public int ppoll(long descriptors, int count, long timespec) {
    try {
      return (int) result((int) PPOLL.invokeExact(state, descriptors, (long) count, timespec, 0L));
    } catch (Throwable e) {
      throw failed("ppoll", e);
    }
  }

  public long sendto(
      int descriptor, long bytes, long count, int flags, long address, int addressBytes) {
    try {
      return result(
          (long) SENDTO.invokeExact(state, descriptor, bytes, count, flags, address, addressBytes));
    } catch (Throwable e) {
      throw failed("sendto", e);
    }
  }

  public long recvfrom(
      int descriptor, long bytes, long count, int flags, long address, long addressBytes) {
    try {
      return result(
          (long)
              RECVFROM.invokeExact(state, descriptor, bytes, count, flags, address, addressBytes));
    } catch (Throwable e) {
      throw failed("recvfrom", e);
    }
  }

  /** sendto(2) of nothing, without waiting: lets the kernel look at what a ring holds. */
  public long wakeSender(int descriptor) {
    try {
      if ((long) PLAIN_SENDTO.invokeExact(descriptor, 0L, 0L, MSG_DONTWAIT, 0L, 0) >= 0) {
        return 0;
      }
    } catch (Throwable e) {
      throw failed("sendto", e);
    }
    return sendto(descriptor, 0, 0, MSG_DONTWAIT, 0, 0);
  }

  /** recvfrom(2) of nothing, without waiting: lets the kernel fill a ring. */
  public long wakeReceiver(int descriptor) {
    try {
      if ((long) PLAIN_RECVFROM.invokeExact(descriptor, 0L, 0L, MSG_DONTWAIT, 0L, 0L) >= 0) {
        return 0;
      }
    } catch (Throwable e) {
      throw failed("recvfrom", e);
    }
    return recvfrom(descriptor, 0, 0, MSG_DONTWAIT, 0, 0);
  }

  public long sendmsg(int descriptor, long message, int flags) {
    try {
      return result((long) SENDMSG.invokeExact(state, descriptor, message, flags));
    } catch (Throwable e) {
      throw failed("sendmsg", e);
    }
  }

  public int sendmmsg(int descriptor, long messages, int count, int flags) {
    try {
      return (int) result((int) SENDMMSG.invokeExact(state, descriptor, messages, count, flags));
    } catch (Throwable e) {
      throw failed("sendmmsg", e);
    }
  }

  public long read(int descriptor, long bytes, long count) {
    try {
      return result((long) READ.invokeExact(state, descriptor, bytes, count));
    } catch (Throwable e) {
      throw failed("read", e);
    }
  }

  public long write(int descriptor, long bytes, long count) {
    try {
      return result((long) WRITE.invokeExact(state, descriptor, bytes, count));
    } catch (Throwable e) {
      throw failed("write", e);
    }
  }

  public int open(String path, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path);
      return (int) result((int) OPEN.invokeExact(state, name, flags | O_CLOEXEC));
    } catch (Throwable e) {
      throw failed("open", e);
    }
  }

  public int close(int descriptor) {
    try {
      return (int) result((int) CLOSE.invokeExact(state, descriptor));
    } catch (Throwable e) {
      throw failed("close", e);
    }
  }

  /** Number of an interface in this network namespace, or 0 if there is none of that name. */
  public int ifNameToIndex(String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(name);
      return (int) IF_NAMETOINDEX.invokeExact(state, text);
    } catch (Throwable e) {
      throw failed("if_nametoindex", e);
    }
  }

  /** bpf(2). */
  public int bpf(int command, long attributes, int attributesBytes) {
    try {
      return (int)
          result(
              (long)
                  SYSCALL3.invokeExact(
                      state, SYS_BPF, (long) command, attributes, (long) attributesBytes));
    } catch (Throwable e) {
      throw failed("bpf", e);
    }
  }

  /** The text of a negative result, such as {@code ENOMEM}'s, with its number. */
  @SuppressWarnings("restricted")
  public String error(long negative) {
    try {
      MemorySegment text = (MemorySegment) STRERROR.invokeExact(state, (int) -negative);
      return text.reinterpret(256).getString(0) + " (errno " + -negative + ")";
    } catch (Throwable e) {
      throw failed("strerror", e);
    }
  }

  private long result(long value) {
    return value == -1 ? -(int) ERRNO.get(state, 0L) : value;
  }

  private static AssertionError failed(String name, Throwable cause) {
    return new AssertionError("a call of the C library failed: function=" + name, cause);
  }

  @SuppressWarnings("restricted")
  private static MethodHandle bind(
      String name, FunctionDescriptor signature, Linker.Option... options) {
    Linker.Option[] all = new Linker.Option[options.length + 1];
    all[0] = Linker.Option.captureCallState("errno");
    System.arraycopy(options, 0, all, 1, options.length);
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), signature, all);
  }

  @SuppressWarnings("restricted")
  private static MethodHandle bindPlain(String name, FunctionDescriptor signature) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), signature);
  }
}
