package io.linerate.driver.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Lets this process see an older or smaller kernel than there is: a system call with a certain
 * argument ends with an error, by a filter of seccomp(2). For the rest of the process's life.
 */
final class SystemCallFilter {
  /** Numbers of system calls on x86-64. */
  static final int SOCKET = 41;

  static final int BIND = 49;
  static final int BPF = 321;

  private static final int SECCOMP = 317;
  private static final int SECCOMP_SET_MODE_FILTER = 1;
  private static final int FLAG_ALL_THREADS = 1;
  private static final int PR_SET_NO_NEW_PRIVS = 38;
  private static final int RET_ERRNO = 0x0005_0000;
  private static final int RET_ALLOW = 0x7FFF_0000;

  // Of classic BPF: load a word; go on if equal to k or skip instructions; return k.
  private static final int LOAD = 0x20;
  private static final int IF_EQUAL = 0x15;
  private static final int RETURN = 0x06;

  /** Offsets in struct seccomp_data. */
  private static final int NUMBER = 0;

  private static final int ARGUMENTS = 16;

  private SystemCallFilter() {}

  static boolean isPossible() {
    return System.getProperty("os.arch").equals("amd64");
  }

  /**
   * From now on, on all threads.
   *
   * @param number of the system call
   * @param index of the argument, from 0
   * @param argument its value, of which the lower 32 bits are looked at
   */
  @SuppressWarnings("restricted")
  static void install(int number, int index, int argument, int error) {
    Linker linker = Linker.nativeLinker();
    MethodHandle syscall =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("syscall"),
            FunctionDescriptor.of(
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG),
            Linker.Option.firstVariadicArg(1));
    MethodHandle prctl =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("prctl"),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG),
            Linker.Option.firstVariadicArg(1));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment code =
          arena.allocateFrom(
              ValueLayout.JAVA_LONG,
              instruction(LOAD, 0, NUMBER),
              instruction(IF_EQUAL, 3, number),
              instruction(LOAD, 0, ARGUMENTS + 8 * index),
              instruction(IF_EQUAL, 1, argument),
              instruction(RETURN, 0, RET_ERRNO | error),
              instruction(RETURN, 0, RET_ALLOW));
      MemorySegment program = arena.allocate(16, 8);
      program.set(ValueLayout.JAVA_SHORT, 0, (short) (code.byteSize() / 8));
      program.set(ValueLayout.JAVA_LONG, 8, code.address());
      int privileges = (int) prctl.invokeExact(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L);
      long result =
          (long)
              syscall.invokeExact(
                  (long) SECCOMP,
                  (long) SECCOMP_SET_MODE_FILTER,
                  (long) FLAG_ALL_THREADS,
                  program.address());
      if (privileges != 0 || result != 0) {
        throw new IllegalStateException("no filter: result=" + result);
      }
    } catch (Throwable e) {
      throw new IllegalStateException("system calls cannot be filtered", e);
    }
  }

  private static long instruction(int code, int skipUnless, int k) {
    return code | (long) skipUnless << 24 | (long) k << 32;
  }
}
