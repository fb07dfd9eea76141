package io.linerate.core.driver;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Optional;

/**
 * How functions of the C library, and of drivers' own libraries, are bound and called.
 *
 * <p>All have one signature, because each other one takes some 5 ms when a program starts: six
 * 64-bit arguments, of which a function looks at as many as it has parameters, and at as many bits
 * as these have. So the calling conventions of 64-bit processors want it, which pass integers in
 * registers of 64 bits, shorter ones extended by their sign. What returns an int leaves the upper
 * half of the result undefined.
 */
public final class CFunction {
  /** Where a call leaves errno. */
  static final MemoryLayout STATE = Linker.Option.captureStateLayout();

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final FunctionDescriptor SIGNATURE =
      FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG, LONG, LONG);
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private CFunction() {}

  /** A function that leaves errno in its first argument, a {@link #STATE}. */
  static MethodHandle withErrno(String name) {
    return bind(name, Linker.Option.captureCallState("errno"));
  }

  /** A function whose errno nobody reads: until it is compiled, a call with it makes an object. */
  static MethodHandle plain(String name) {
    return bind(name);
  }

  /** A function, or what answers {@code -ENOSYS} in place of one that the library lacks. */
  private static MethodHandle bind(String name, Linker.Option... options) {
    return find(Linker.nativeLinker().defaultLookup(), name, options)
        .orElseGet(() -> absent(options.length > 0));
  }

  private static MethodHandle absent(boolean withErrno) {
    MethodHandle answer = ofAnyArguments(MethodHandles.constant(long.class, (long) -Errno.ENOSYS));
    return withErrno ? MethodHandles.dropArguments(answer, 0, MemorySegment.class) : answer;
  }

  private static MethodHandle ofAnyArguments(MethodHandle function) {
    return MethodHandles.dropArguments(function, 0, SIGNATURE.toMethodType().parameterList());
  }

  /** A function of a library, if it has one of that name. */
  @SuppressWarnings("restricted")
  public static Optional<MethodHandle> find(
      SymbolLookup library, String name, Linker.Option... options) {
    return library
        .find(name)
        .map(address -> Linker.nativeLinker().downcallHandle(address, SIGNATURE, options));
  }

  /** What throws, in place of a function that is missing. */
  public static MethodHandle throwing(RuntimeException why) {
    return ofAnyArguments(
        MethodHandles.throwException(long.class, RuntimeException.class).bindTo(why));
  }

  /**
   * Calls a function whose errno nobody reads. Not for the packet path: that has handles which are
   * constants.
   *
   * @param arguments at most six
   */
  public static long call(MethodHandle function, long... arguments) {
    long[] all = Arrays.copyOf(arguments, 6);
    try {
      return (long) function.invokeExact(all[0], all[1], all[2], all[3], all[4], all[5]);
    } catch (Throwable e) {
      throw failed(e);
    }
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
  public static Error failed(Throwable cause) {
    if (cause instanceof RuntimeException thrown) {
      throw thrown; // By what stands in place of a function that is missing.
    }
    return cause instanceof Error error
        ? error
        : new AssertionError("a call of the C library failed", cause);
  }
}
