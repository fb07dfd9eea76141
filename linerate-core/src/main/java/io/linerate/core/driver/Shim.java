package io.linerate.core.driver;

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
 * The library file of a C shim: loaded from the folder or the jar that it was built into, or the
 * reason why it is not. A module loads its own once, into a constant.
 *
 * @param symbols its functions, or null when it is not loaded
 * @param problem why it is not and what to do, in the form {@code reason=...; ...}; "" when it is
 */
public record Shim(ShimName name, @Nullable SymbolLookup symbols, String problem) {
  /** That of this platform, from where {@code owner}'s module has it. */
  public static Shim load(ShimName name, Class<?> owner) {
    String arch = System.getProperty("os.arch");
    String platform = "linux-" + ("amd64".equals(arch) ? "x86_64" : arch);
    return load(name, owner.getResource("/native/" + platform + "/" + name.file()), platform);
  }

  static Shim load(ShimName name, @Nullable URL file, String platform) {
    if (file == null) {
      return absent(
          name,
          "this build has no %s shim for %s; install %s, and build again"
              .formatted(name.library(), platform, name.toBuild()));
    }
    try {
      return "file".equals(file.getProtocol())
          ? load(name, Path.of(file.toURI()))
          : loadCopy(name, file);
    } catch (IOException | URISyntaxException e) {
      return absent(
          name,
          "cannot copy the %s shim to load it: %s; make room in java.io.tmpdir"
              .formatted(name.library(), e));
    }
  }

  private static Shim loadCopy(ShimName name, URL file) throws IOException {
    Path copy = Files.createTempFile("linerate", name.file());
    // Into the file that only this user may write: one made anew under its name might be another's.
    try (InputStream in = file.openStream();
        OutputStream out = Files.newOutputStream(copy, StandardOpenOption.WRITE)) {
      in.transferTo(out);
      return load(name, copy);
    } finally {
      Files.delete(copy); // The loader has mapped it: the name is not needed any more.
    }
  }

  @SuppressWarnings("restricted")
  private static Shim load(ShimName name, Path file) {
    try {
      System.load(file.toAbsolutePath().toString());
      return new Shim(name, SymbolLookup.loaderLookup(), "");
    } catch (UnsatisfiedLinkError e) {
      return absent(name, e.getMessage() + "; install " + name.toRun());
    }
  }

  public boolean isLoaded() {
    return symbols != null;
  }

  /** A function, bound as {@link CFunction} says. Where it is missing, what throws in its place. */
  public MethodHandle function(String function) {
    if (symbols == null) {
      return CFunction.throwing(unavailable(problem));
    }
    return CFunction.find(symbols, function)
        .orElseGet(() ->
            CFunction.throwing(unavailable("reason=the shim lacks " + function + "; build again")));
  }

  /** What to throw where the shim cannot be used: its own problem, or another. */
  public RuntimeException unavailable(String why) {
    return name.unavailable().apply(why);
  }

  private static Shim absent(ShimName name, String reasonAndRemedy) {
    return new Shim(name, null, "reason=" + reasonAndRemedy);
  }
}
