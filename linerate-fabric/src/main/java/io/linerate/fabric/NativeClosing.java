package io.linerate.fabric;

import java.util.ArrayList;
import java.util.List;

/**
 * Closes what a domain has of its provider's: in an order that the provider can bear, and not at
 * all when it does not return.
 */
final class NativeClosing {
  private static final System.Logger LOG = System.getLogger(NativeClosing.class.getName());

  private record Part(String what, long object) {}

  private final String provider;
  private final List<Part> keptEndpoints = new ArrayList<>();
  private final List<Part> keptParts = new ArrayList<>();
  private String stuckAt = "";

  NativeClosing(String provider) {
    this.provider = provider;
  }

  /** What the provider has not returned from closing; "" where all is well. */
  String stuckAt() {
    return stuckAt;
  }

  boolean hasKeptEndpoints() {
    return !keptEndpoints.isEmpty();
  }

  /**
   * Closes an endpoint, or keeps it until all domains of this process are closed that it is linked
   * to.
   *
   * <p>The provider may never return: then nothing of the domain can be used any more, and what is
   * left of it stays until the process ends.
   */
  void closeEndpoint(long endpoint, boolean isKept) {
    if (isKept) {
      keptEndpoints.add(new Part("endpoint", endpoint));
    } else if (stuckAt.isEmpty() && !NativeClose.closeInTime("endpoint", endpoint)) {
      stuckAt = "endpoint";
      LOG.log(
          System.Logger.Level.WARNING,
          "a provider does not return from closing an object: provider={0}, object=endpoint,"
              + " waited=2 s; the domain is not closed before the program ends",
          provider);
    }
  }

  /** Closes what endpoints may be bound to: not before those that are kept. */
  void closePart(String what, long object) {
    if (keptEndpoints.isEmpty()) {
      boolean _ = close(what, object);
    } else {
      keptParts.add(new Part(what, object));
    }
  }

  /** Closes what was kept. */
  void closeKept() {
    keptEndpoints.forEach(part -> closeEndpoint(part.object(), false));
    keptParts.forEach(part -> close(part.what(), part.object()));
    keptEndpoints.clear();
    keptParts.clear();
  }

  /** Closes any other object; whether the provider has done so. */
  boolean close(String what, long object) {
    int result = stuckAt.isEmpty() ? FabricFunction.CLOSE.call(object) : 0;
    if (result < 0) {
      LOG.log(
          System.Logger.Level.WARNING,
          "a provider does not close an object: provider={0}, object={1}, {2}; it stays until the"
              + " program ends",
          provider,
          what,
          FabricLibrary.error(result));
    }
    return result >= 0;
  }
}
