package io.linerate.stream.codec;

import io.linerate.core.config.ConfigException;
import io.linerate.core.driver.CFunction;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * A library of the system, or the reason why there is none.
 *
 * <p>Integers are passed as 64 bits, as {@link CFunction} says.
 *
 * @param symbols its functions, or null when it is not loaded
 * @param problem why it is not; "" when it is
 */
record NativeLibrary(@Nullable SymbolLookup symbols, String problem) {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final AddressLayout ADDRESS = ValueLayout.ADDRESS;

  /**
   * Six integers, and behind these two segments, at which the function does not look, since it has
   * no such parameters: those that have the ranges whose addresses are among the integers. A call
   * holds what it is given, so that no other thread frees it meanwhile. Slices in place of
   * addresses would do the same, and be objects, unless the compiler sees all that is done with
   * them.
   */
  private static final FunctionDescriptor HOLDING =
      FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG, LONG, LONG, ADDRESS, ADDRESS);

  /**
   * The library of that name.
   *
   * @param other what a program can choose in its place
   */
  @SuppressWarnings("restricted")
  static NativeLibrary load(String what, String name, String other) {
    try {
      return new NativeLibrary(SymbolLookup.libraryLookup(name, Arena.global()), "");
    } catch (IllegalArgumentException e) {
      return new NativeLibrary(
          null,
          "%s is not available: library=%s; install it, or choose %s".formatted(what, name, other));
    }
  }

  /** A function of integers, six at most; where it is missing, what throws in its place. */
  MethodHandle function(String name, Linker.Option... options) {
    return symbols == null
        ? CFunction.throwing(new ConfigException(problem))
        : CFunction.find(symbols, name, options)
            .orElseGet(() -> CFunction.throwing(new ConfigException(tooOld(name))));
  }

  /** The same with two segments behind six integers, which the call holds. */
  @SuppressWarnings("restricted")
  MethodHandle holdingFunction(String name) {
    return symbols == null
        ? throwing(problem)
        : symbols
            .find(name)
            .map(address -> Linker.nativeLinker().downcallHandle(address, HOLDING))
            .orElseGet(() -> throwing(tooOld(name)));
  }

  private static String tooOld(String name) {
    return "a library is too old: missing function=%s; install a newer one".formatted(name);
  }

  private static MethodHandle throwing(String why) {
    return MethodHandles.dropArguments(
        CFunction.throwing(new ConfigException(why)), 6, MemorySegment.class, MemorySegment.class);
  }
}
