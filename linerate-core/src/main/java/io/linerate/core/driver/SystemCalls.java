package io.linerate.core.driver;

import static io.linerate.core.driver.CFunction.failed;
import static io.linerate.core.driver.CFunction.intResult;
import static io.linerate.core.driver.CFunction.plain;
import static io.linerate.core.driver.CFunction.result;
import static io.linerate.core.driver.CFunction.withErrno;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * What drivers need of the kernel: descriptors, sockets and mappings. The functions return what C
 * returns, and {@code -errno} where that is an error; {@link Errno} has names and texts. They trust
 * their arguments, addresses above all: for drivers only.
 *
 * <p>One instance for each thread: it has a place of its own where calls leave errno, so that no
 * call makes an object. Programs that this one starts inherit no descriptor.
 */
public final class SystemCalls {
  public static final int AF_INET = 2;
  public static final int AF_PACKET = 17;
  public static final int SOCK_DGRAM = 2;
  public static final int SOCK_RAW = 3;
  public static final int SOL_SOCKET = 1;
  public static final int SOL_PACKET = 263;
  public static final int MSG_DONTWAIT = 0x40;
  public static final int O_RDONLY = 0;
  public static final int O_RDWR = 2;
  public static final int O_NONBLOCK = 0x800;
  public static final int O_NOFOLLOW = 0x2_0000;
  public static final int SEEK_END = 2;
  public static final int LOCK_SHARED = 1;
  public static final int LOCK_EXCLUSIVE = 2;
  public static final int LOCK_NON_BLOCKING = 4;
  public static final int PROT_READ_WRITE = 1 | 2;
  public static final int MAP_SHARED = 1;
  public static final int MAP_PRIVATE = 2;
  public static final int MAP_ANONYMOUS = 0x20;
  public static final int MAP_NORESERVE = 0x4000;
  public static final int MAP_POPULATE = 0x8000;

  private static final int MADV_DONTNEED = 4;
  private static final int MADV_HUGEPAGE = 14;
  private static final int MADV_POPULATE_WRITE = 23;
  private static final int CLOSE_ON_EXEC = 0x80000; // O_CLOEXEC and SOCK_CLOEXEC.

  private static final MethodHandle SOCKET = withErrno("socket");
  private static final MethodHandle BIND = withErrno("bind");
  private static final MethodHandle SETSOCKOPT = withErrno("setsockopt");
  private static final MethodHandle GETSOCKOPT = withErrno("getsockopt");
  private static final MethodHandle SENDTO = withErrno("sendto");
  private static final MethodHandle RECVFROM = withErrno("recvfrom");
  private static final MethodHandle SENDMMSG = withErrno("sendmmsg");
  private static final MethodHandle READ = withErrno("read");
  private static final MethodHandle WRITE = withErrno("write");
  private static final MethodHandle READV = withErrno("readv");
  private static final MethodHandle WRITEV = withErrno("writev");
  private static final MethodHandle LSEEK = withErrno("lseek");
  private static final MethodHandle FLOCK = withErrno("flock");
  private static final MethodHandle CLOSE = withErrno("close");
  private static final MethodHandle MMAP = withErrno("mmap");
  private static final MethodHandle MUNMAP = withErrno("munmap");
  private static final MethodHandle MADVISE = withErrno("madvise");
  private static final MethodHandle IF_NAMETOINDEX = withErrno("if_nametoindex");

  // Variadic in C, which makes no difference to integers in 64-bit Linux's calling conventions.
  private static final MethodHandle OPEN = withErrno("open");
  private static final MethodHandle IOCTL = withErrno("ioctl");
  private static final MethodHandle SYSCALL = withErrno("syscall");

  /** The number of bpf(2), which the C library has no function for; asm/unistd.h. */
  private static final long SYS_BPF =
      switch (System.getProperty("os.arch")) {
        case "aarch64", "riscv64" -> 280;
        default -> 321; // x86_64
      };

  /**
   * Without errno: a call with errno makes an object wherever the compiler does not take it apart,
   * in some programs for good. On the packet path only a call that has failed is made again with
   * it. Bound when one is called: calls of a second kind take some 15 ms, and not every program
   * needs them.
   */
  private static final class Plain {
    static final MethodHandle SENDTO = plain("sendto");
    static final MethodHandle RECVFROM = plain("recvfrom");
    static final MethodHandle SENDMMSG = plain("sendmmsg");
    static final MethodHandle READ = plain("read");
    static final MethodHandle WRITE = plain("write");
    static final MethodHandle READV = plain("readv");
    static final MethodHandle WRITEV = plain("writev");
    static final MethodHandle MADVISE = plain("madvise");
  }

  private final MemorySegment state = Arena.ofAuto().allocate(CFunction.STATE);

  public int socket(int domain, int type, int protocol) {
    return call(SOCKET, domain, type | CLOSE_ON_EXEC, protocol);
  }

  public int bind(int descriptor, long address, int addressBytes) {
    return call(BIND, descriptor, address, addressBytes);
  }

  public int setsockopt(int descriptor, int level, int option, long value, int valueBytes) {
    return call(SETSOCKOPT, descriptor, level, option, value, valueBytes);
  }

  /** Sets an option whose value is an int. Not for the packet path. */
  public int setsockopt(int descriptor, int level, int option, int value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_INT, value);
      return setsockopt(descriptor, level, option, memory.address(), Integer.BYTES);
    }
  }

  /** Reads an option that is as long as {@code value}. Not for the packet path. */
  public int getsockopt(int descriptor, int level, int option, MemorySegment value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_INT, (int) value.byteSize());
      return call(GETSOCKOPT, descriptor, level, option, value.address(), bytes.address());
    }
  }

  public int ioctl(int descriptor, long request, long argument) {
    return call(IOCTL, descriptor, request, argument);
  }

  /** sendto(2) of nothing, without waiting: lets the kernel look at what a ring holds. */
  public long wakeSender(int descriptor) {
    return errnoIfFailed(Plain.SENDTO, SENDTO, descriptor, 0, 0, MSG_DONTWAIT);
  }

  /** recvfrom(2) of nothing, without waiting: lets the kernel fill a ring. */
  public long wakeReceiver(int descriptor) {
    return errnoIfFailed(Plain.RECVFROM, RECVFROM, descriptor, 0, 0, MSG_DONTWAIT);
  }

  public int sendmmsg(int descriptor, long messages, int count, int flags) {
    try {
      int sent =
          (int)
              (long)
                  Plain.SENDMMSG.invokeExact(
                      (long) descriptor, messages, (long) count, (long) flags, 0L, 0L);
      return sent >= 0 ? sent : call(SENDMMSG, descriptor, messages, count, flags, 0);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  public long read(int descriptor, long bytes, long count) {
    return longCall(READ, descriptor, bytes, count, 0, 0, 0);
  }

  /** read(2) where there may be nothing yet: any failure is -1. */
  public long tryRead(int descriptor, long bytes, long count) {
    try {
      return (long) Plain.READ.invokeExact((long) descriptor, bytes, count, 0L, 0L, 0L);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** readv(2) into {@code count} pieces of memory. */
  public long readv(int descriptor, long iovecs, int count) {
    return longCall(READV, descriptor, iovecs, count, 0, 0, 0);
  }

  /** readv(2) where there may be nothing yet: any failure is -1. */
  public long tryReadv(int descriptor, long iovecs, int count) {
    try {
      return (long) Plain.READV.invokeExact((long) descriptor, iovecs, (long) count, 0L, 0L, 0L);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** writev(2) of {@code count} pieces of memory. */
  public long writev(int descriptor, long iovecs, int count) {
    return errnoIfFailed(Plain.WRITEV, WRITEV, descriptor, iovecs, count, 0);
  }

  public long write(int descriptor, long bytes, long count) {
    return errnoIfFailed(Plain.WRITE, WRITE, descriptor, bytes, count, 0);
  }

  public int open(String path, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      return call(OPEN, arena.allocateFrom(path).address(), flags | CLOSE_ON_EXEC, 0);
    }
  }

  public long lseek(int descriptor, long offset, int whence) {
    return longCall(LSEEK, descriptor, offset, whence, 0, 0, 0);
  }

  public int flock(int descriptor, int operation) {
    return call(FLOCK, descriptor, operation, 0);
  }

  public int close(int descriptor) {
    return call(CLOSE, descriptor, 0, 0);
  }

  /** Maps where the kernel likes; {@code -errno} is the only negative result. */
  public long mmap(long bytes, int protection, int flags, int descriptor, long offset) {
    return longCall(MMAP, 0, bytes, protection, flags, descriptor, offset);
  }

  public int munmap(long address, long bytes) {
    return call(MUNMAP, address, bytes, 0);
  }

  /** madvise(2): takes changes of a private map back, its pages are the file's again. */
  public int discard(long address, long bytes) {
    try {
      long returned =
          (long) Plain.MADVISE.invokeExact(address, bytes, (long) MADV_DONTNEED, 0L, 0L, 0L);
      return (int) returned == 0 ? 0 : call(MADVISE, address, bytes, MADV_DONTNEED);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** madvise(2): asks for huge pages; {@code -EINVAL} where the kernel has none. */
  public int preferHugePages(long address, long bytes) {
    return call(MADVISE, address, bytes, MADV_HUGEPAGE);
  }

  /** madvise(2): brings all pages, to be written; {@code -EINVAL} before Linux 5.14. */
  public int populate(long address, long bytes) {
    return call(MADVISE, address, bytes, MADV_POPULATE_WRITE);
  }

  /** Number of an interface in this network namespace, or 0 if there is none of that name. */
  public int ifNameToIndex(String name) {
    try (Arena arena = Arena.ofConfined()) {
      return Math.max(0, call(IF_NAMETOINDEX, arena.allocateFrom(name).address(), 0, 0));
    }
  }

  /** bpf(2). */
  public int bpf(int command, long attributes, int attributesBytes) {
    return call(SYSCALL, SYS_BPF, command, attributes, attributesBytes, 0);
  }

  private long errnoIfFailed(
      MethodHandle plain, MethodHandle withErrno, long a, long b, long c, long d) {
    try {
      long done = (long) plain.invokeExact(a, b, c, d, 0L, 0L);
      return done >= 0 ? done : longCall(withErrno, a, b, c, d, 0, 0);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  private int call(MethodHandle function, long a, long b, long c) {
    return call(function, a, b, c, 0, 0);
  }

  private int call(MethodHandle function, long a, long b, long c, long d, long e) {
    try {
      return intResult(state, (long) function.invokeExact(state, a, b, c, d, e, 0L));
    } catch (Throwable thrown) {
      throw failed(thrown);
    }
  }

  private long longCall(MethodHandle function, long a, long b, long c, long d, long e, long f) {
    try {
      return result(state, (long) function.invokeExact(state, a, b, c, d, e, f));
    } catch (Throwable thrown) {
      throw failed(thrown);
    }
  }
}
