package io.linerate.core.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.function.Supplier;

/**
 * Keeps the handlers of signals as they are, whatever a native library does to them: the JVM needs
 * its own for null checks and safepoints (SIGSEGV, SIGBUS), and for an orderly end (SIGTERM,
 * SIGINT, SIGHUP). Some libraries install handlers of theirs when they are loaded or first used.
 */
public final class KeptSignals {
  private static final MethodHandle SIGACTION = CFunction.plain("sigaction");

  /**
   * SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGPIPE, SIGTERM.
   */
  private static final int[] SIGNALS = {1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 15};

  /** More than a {@code struct sigaction} of any 64-bit Linux: x86_64 has 152 bytes. */
  private static final int ACTION_BYTES = 256;

  private KeptSignals() {}

  /**
   * Does something, and puts back what handlers it has replaced. Signals that come meanwhile may
   * find either.
   */
  public static <T> T during(Supplier<T> work) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment kept = arena.allocate((long) ACTION_BYTES * SIGNALS.length, Long.BYTES);
      for (int i = 0; i < SIGNALS.length; i++) {
        long _ = CFunction.call(SIGACTION, SIGNALS[i], 0, kept.address() + (long) i * ACTION_BYTES);
      }
      try {
        return work.get();
      } finally {
        for (int i = 0; i < SIGNALS.length; i++) {
          long _ =
              CFunction.call(SIGACTION, SIGNALS[i], kept.address() + (long) i * ACTION_BYTES, 0);
        }
      }
    }
  }

  /** The address of a signal's handler: 0 for the default, 1 where it is ignored. */
  static long handler(int signal) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment action = arena.allocate(ACTION_BYTES, Long.BYTES);
      long _ = CFunction.call(SIGACTION, signal, 0, action.address());
      return action.get(ValueLayout.JAVA_LONG, 0); // sa_handler comes first.
    }
  }
}
