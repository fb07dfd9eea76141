package io.linerate.core.driver;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * How functions of the C library are bound and called.
 *
 * <p>All have one signature, because each other one takes some 5 ms when a program starts: six
 * 64-bit arguments, of which a function looks at as many as it has parameters, and at as many bits
 * as these have. So the calling conventions of 64-bit processors want it, which pass integers in
 * registers of 64 bits, shorter ones extended by their sign. What returns an int leaves the upper
 * half of the result undefined.
 */
final class CFunction {
  /** Where a call leaves errno. */
  static final MemoryLayout STATE = Linker.Option.captureStateLayout();

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final FunctionDescriptor SIGNATURE =
      FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG, LONG, LONG);
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private CFunction() {}

  /** A function that leaves errno in its first argument, a {@link #STATE}. */
  static MethodHandle withErrno(String name, Linker.Option... options) {
    Linker.Option[] all = Arrays.copyOf(options, options.length + 1);
    all[options.length] = Linker.Option.captureCallState("errno");
    return bind(name, all);
  }

  /** A function whose errno nobody reads: until it is compiled, a call with it makes an object. */
  static MethodHandle plain(String name) {
    return bind(name);
  }

  /** A function, or what answers {@code -ENOSYS} in place of one that the library lacks. */
  @SuppressWarnings("restricted")
  private static MethodHandle bind(String name, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find(name)
        .map(address -> linker.downcallHandle(address, SIGNATURE, options))
        .orElseGet(() -> absent(options.length > 0));
  }

  private static MethodHandle absent(boolean withErrno) {
    MethodHandle answer =
        MethodHandles.dropArguments(
            MethodHandles.constant(long.class, (long) -Errno.ENOSYS),
            0,
            SIGNATURE.toMethodType().parameterList());
    return withErrno ? MethodHandles.dropArguments(answer, 0, MemorySegment.class) : answer;
  }

  /** What a function returned, and {@code -errno} where that is -1. */
  static long result(MemorySegment state, long returned) {
    return returned == -1 ? -(int) ERRNO.get(state, 0L) : returned;
  }

  /** The same of a function that returns an int. */
  static int intResult(MemorySegment state, long returned) {
    int value = (int) returned;
    return value == -1 ? -(int) ERRNO.get(state, 0L) : value;
  }

  /** What to throw when a call has thrown: an error of the virtual machine's own, as it is. */
  static Error failed(Throwable cause) {
    return cause instanceof Error error
        ? error
        : new AssertionError("a call of the C library failed", cause);
  }
}
