package io.linerate.fabric;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.linerate.core.driver.CFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * The fabric of this process: whether it can be used, and the shim's functions of the data path.
 * Those of {@link FabricFunction} are the others.
 *
 * <p>Where the shim or libfabric is missing, every function throws; loading this class never fails.
 *
 * <p>None is {@code Linker.Option.critical}, but for one that takes arrays of the heap: a provider
 * may make system calls in any of them.
 */
final class FabricLibrary {
  private static final MethodHandle POST = FabricShim.SHIM.function("lrf_post");
  private static final MethodHandle INJECT = FabricShim.SHIM.function("lrf_inject");
  private static final MethodHandle POLL = FabricShim.SHIM.function("lrf_poll");
  private static final MethodHandle EVENT = FabricShim.SHIM.function("lrf_event");
  private static final MethodHandle MAY_WAIT = FabricShim.SHIM.function("lrf_may_wait");

  private FabricLibrary() {}

  /** Why libfabric cannot be used, in the form {@code reason=...; what to do}; "" if it can. */
  static String problem() {
    return Problem.TEXT;
  }

  /**
   * @throws FabricException if libfabric cannot be used
   */
  static void requireAvailable() {
    if (!problem().isEmpty()) {
      throw FabricShim.SHIM.unavailable(problem());
    }
  }

  /** Code and text of a negative result: {@code error=-111, text=Connection refused}. */
  static String error(long result) {
    return "error=" + result + ", text=" + text(FabricFunction.ERROR_TEXT.callLong(-result));
  }

  /** A text of the library's, or "" where there is no address. */
  @SuppressWarnings("restricted")
  static String text(long address) {
    return address == 0
        ? ""
        : MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0);
  }

  static long post(CallCount by, long endpoint, long work) {
    by.enter();
    try {
      return (long) POST.invokeExact(endpoint, work, 0L, 0L, 0L, 0L);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    } finally {
      by.leave();
    }
  }

  /** Of memory that cannot be freed meanwhile. */
  static long inject(CallCount by, long endpoint, long address, long bytes, long peer) {
    by.enter();
    try {
      return (long) INJECT.invokeExact(endpoint, address, bytes, peer, 0L, 0L);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    } finally {
      by.leave();
    }
  }

  /** Of native memory of whatever arena, or of an array on the heap. */
  static long inject(CallCount by, long endpoint, MemorySegment message, long peer) {
    long bytes = message.byteSize();
    by.enter();
    try {
      return message.isNative()
          ? (long) Injection.NATIVE.invokeExact(endpoint, message, bytes, peer, 0L, 0L)
          : (long) Injection.HEAP.invokeExact(endpoint, message, bytes, peer, 0L, 0L);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    } finally {
      by.leave();
    }
  }

  static long taggedInject(
      CallCount by, long endpoint, MemorySegment message, long peer, long tag) {
    by.enter();
    try {
      return (long)
          Injection.TAGGED.invokeExact(endpoint, message, message.byteSize(), peer, tag, 0L);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    } finally {
      by.leave();
    }
  }

  static long poll(
      CallCount by, long queue, long entries, long limits, long sources, long failure, long batch) {
    by.enter();
    try {
      return (long) POLL.invokeExact(queue, entries, limits, sources, failure, batch);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    } finally {
      by.leave();
    }
  }

  static long event(CallCount by, long queue, long event) {
    by.enter();
    try {
      return (long) EVENT.invokeExact(queue, event, 0L, 0L, 0L, 0L);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    } finally {
      by.leave();
    }
  }

  /** Whether the descriptor of a queue may be slept on now. */
  static boolean mayWait(CallCount by, long fabric, long queue) {
    by.enter();
    try {
      return (int) (long) MAY_WAIT.invokeExact(fabric, queue, 0L, 0L, 0L, 0L) == 0;
    } catch (Throwable e) {
      throw CFunction.failed(e);
    } finally {
      by.leave();
    }
  }

  /** Found out when it is asked for the first time, by functions of the shim itself. */
  private static final class Problem {
    static final String TEXT =
        FabricShim.SHIM.isLoaded()
            ? readLayout().problem(FabricFunction.VERSION.call())
            : FabricShim.SHIM.problem();

    private static FabricLayout readLayout() {
      try (Arena arena = Arena.ofConfined()) {
        int count = FabricFunction.LAYOUT.call(0, 0);
        MemorySegment values = arena.allocate(JAVA_LONG, count);
        int written = FabricFunction.LAYOUT.call(values.address(), count);
        return new FabricLayout(Arrays.copyOf(values.toArray(JAVA_LONG), written));
      }
    }
  }

  /**
   * Functions that take a segment: memory of whatever arena, which another thread could free
   * meanwhile if it were given by its address. Bound when the first message is injected.
   */
  private static final class Injection {
    private static final FunctionDescriptor SIGNATURE =
        FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    static final MethodHandle NATIVE = bind("lrf_inject");
    static final MethodHandle TAGGED = bind("lrf_tagged_inject");

    /**
     * An array stays where it is while this runs, since no collection begins before it has
     * returned. Only of providers that wait for nobody in it ({@link ProviderInfo#readsArrays}):
     * tcp copies at most {@link ProviderInfo#injectBytes}, and at most writes them into a socket
     * that does not block.
     */
    static final MethodHandle HEAP = bind("lrf_inject", Linker.Option.critical(true));

    @SuppressWarnings("restricted")
    private static MethodHandle bind(String function, Linker.Option... options) {
      SymbolLookup symbols = FabricShim.SHIM.symbols();
      if (symbols == null) {
        throw FabricShim.SHIM.unavailable(FabricShim.SHIM.problem());
      }
      return Linker.nativeLinker()
          .downcallHandle(symbols.findOrThrow(function), SIGNATURE, options);
    }
  }
}
