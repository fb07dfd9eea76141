package io.linerate.fabric;

import io.linerate.core.driver.CFunction;
import io.linerate.core.driver.KeptSignals;
import io.linerate.core.driver.Shim;
import io.linerate.core.driver.ShimName;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;

/**
 * The shim of this process, loaded: {@link FabricFunction} and {@link FabricLibrary} bind its
 * functions. It refers to neither, so that each can be initialised first.
 */
final class FabricShim {
  static final Shim SHIM = load();

  private FabricShim() {}

  /**
   * Loads it with the handlers of signals kept: libinfinipath, which Debian's libfabric links,
   * takes SIGSEGV, SIGBUS and others when it is loaded, unless its variable says otherwise, and the
   * JVM needs them.
   */
  private static Shim load() {
    ShimName name =
        new ShimName(
            "liblinerate_fabric.so",
            "libfabric",
            "gcc, make, pkg-config and libfabric-dev",
            "libfabric (Debian: apt install libfabric1)",
            problem -> new FabricException("the fabric is unavailable: " + problem));
    return KeptSignals.during(() -> {
      setEnvironment("IPATH_NO_BACKTRACE", "1");
      return Shim.load(name, FabricShim.class);
    });
  }

  /** Of the C library: what Java's own environment says does not change. */
  private static void setEnvironment(String name, String value) {
    try (Arena arena = Arena.ofConfined()) {
      CFunction.find(Linker.nativeLinker().defaultLookup(), "setenv")
          .ifPresent(setenv ->
              CFunction.call(
                  setenv,
                  arena.allocateFrom(name).address(),
                  arena.allocateFrom(value).address(),
                  0));
    }
  }
}
