package io.linerate.driver.dpdk;

import io.linerate.core.driver.CFunction;
import io.linerate.core.port.PortException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The shim's library file: loaded from the folder or the jar that it was built into, or the reason
 * why it is not.
 *
 * @param symbols its functions, or null when it is not loaded
 * @param problem why it is not and what to do, in the form {@code reason=...; ...}; "" when it is
 */
record Shim(@Nullable SymbolLookup symbols, String problem) {
  private static final String FILE = "liblinerate_dpdk.so";

  /** That of this process. */
  static final Shim LOADED = load();

  private static Shim load() {
    String arch = System.getProperty("os.arch");
    String platform = "linux-" + ("amd64".equals(arch) ? "x86_64" : arch);
    return load(Shim.class.getResource("/native/" + platform + "/" + FILE), platform);
  }

  static Shim load(@Nullable URL file, String platform) {
    if (file == null) {
      return absent(
          "this build has no DPDK shim for "
              + platform
              + "; install gcc, make, pkg-config and libdpdk-dev, and build again");
    }
    try {
      return "file".equals(file.getProtocol()) ? load(Path.of(file.toURI())) : loadCopy(file);
    } catch (IOException | URISyntaxException e) {
      return absent("cannot copy the DPDK shim to load it: " + e + "; make room in java.io.tmpdir");
    }
  }

  private static Shim loadCopy(URL file) throws IOException {
    Path copy = Files.createTempFile("linerate", FILE);
    // Into the file that only this user may write: one made anew under its name might be another's.
    try (InputStream in = file.openStream();
        OutputStream out = Files.newOutputStream(copy, StandardOpenOption.WRITE)) {
      in.transferTo(out);
      return load(copy);
    } finally {
      Files.delete(copy); // The loader has mapped it: the name is not needed any more.
    }
  }

  @SuppressWarnings("restricted")
  private static Shim load(Path file) {
    try {
      System.load(file.toAbsolutePath().toString());
      return new Shim(SymbolLookup.loaderLookup(), "");
    } catch (UnsatisfiedLinkError e) {
      return absent(
          e.getMessage() + "; install the DPDK that it was built with (Debian: apt install dpdk)");
    }
  }

  boolean isLoaded() {
    return symbols != null;
  }

  /** A function, bound as {@link CFunction} says. Where it is missing, what throws in its place. */
  MethodHandle function(String name) {
    if (symbols == null) {
      return CFunction.throwing(unavailable(problem));
    }
    return CFunction.find(symbols, name)
        .orElseGet(() ->
            CFunction.throwing(unavailable("reason=the shim lacks " + name + "; build again")));
  }

  static PortException unavailable(String problem) {
    return new PortException("DPDK ports are unavailable: " + problem);
  }

  private static Shim absent(String reasonAndRemedy) {
    return new Shim(null, "reason=" + reasonAndRemedy);
  }
}
