package io.linerate.driver.pcap.libpcap;

import io.linerate.core.driver.CFunction;
import io.linerate.core.port.PortException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The system's libpcap, or the reason why there is none.
 *
 * @param symbols its functions, or null when it is not loaded
 * @param problem why it is not; "" when it is
 */
record LibpcapLibrary(@Nullable SymbolLookup symbols, String problem) {
  /** Debian's name, that of others, and that of whoever has its headers. */
  private static final List<String> NAMES = List.of("libpcap.so.0.8", "libpcap.so.1", "libpcap.so");

  /** That of this process. */
  static final LibpcapLibrary LOADED = load(NAMES);

  @SuppressWarnings("restricted")
  static LibpcapLibrary load(List<String> names) {
    for (String name : names) {
      try {
        return new LibpcapLibrary(SymbolLookup.libraryLookup(name, Arena.global()), "");
      } catch (IllegalArgumentException e) {
        // The next.
      }
    }
    return new LibpcapLibrary(
        null,
        "libpcap is not installed: libraries=%s; install libpcap0.8"
            .formatted(String.join(" ", names)));
  }

  boolean isLoaded() {
    return symbols != null;
  }

  /** A function, bound as {@link CFunction} says. Where it is missing, what throws in its place. */
  MethodHandle function(String name, Linker.Option... options) {
    return symbols == null
        ? CFunction.throwing(new PortException(problem))
        : CFunction.find(symbols, name, options)
            .orElseGet(() ->
                CFunction.throwing(
                    new PortException(
                        "libpcap is too old: missing function=%s; install libpcap 1.5 or newer"
                            .formatted(name))));
  }

  /** A function that older versions lack: what stands in its place returns 0. */
  MethodHandle optional(String name) {
    return symbols == null
        ? function(name)
        : CFunction.find(symbols, name)
            .orElseGet(() ->
                MethodHandles.dropArguments(
                    MethodHandles.constant(long.class, 0L), 0, Collections.nCopies(6, long.class)));
  }
}
