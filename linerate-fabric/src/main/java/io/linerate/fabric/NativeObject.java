package io.linerate.fabric;

import io.linerate.core.driver.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Opens objects of libfabric, by functions whose last argument is where they leave its address. */
final class NativeObject {
  private NativeObject() {}

  /**
   * Opens one.
   *
   * @param what is asked for, with names and values, up to the last comma or colon
   * @throws FabricException if the provider refuses
   */
  static long open(String what, FabricFunction function, long... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      long out = arena.allocate(ValueLayout.JAVA_LONG).address();
      long[] all = Arrays.copyOf(arguments, arguments.length + 1);
      all[arguments.length] = out;
      check(what, function.call(all));
      return NativeMemory.u64(out);
    }
  }

  /** Throws where a result is negative. */
  static void check(String what, long result) {
    if (result < 0) {
      throw FabricException.of(what, result);
    }
  }
}
