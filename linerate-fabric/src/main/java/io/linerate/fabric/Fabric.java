package io.linerate.fabric;

import java.util.List;

/** Whether there is a fabric on this host, and which providers. */
public final class Fabric {
  private Fabric() {}

  /** Why libfabric cannot be used, in the form {@code reason=...; what to do}; "" if it can. */
  public static String problem() {
    return FabricLibrary.problem();
  }

  /**
   * The libfabric that is there, such as {@code 1.17}.
   *
   * @throws FabricException if it cannot be used
   */
  public static String version() {
    FabricLibrary.requireAvailable();
    int version = FabricFunction.VERSION.call();
    return (version >>> 16) + "." + (version & 0xFFFF);
  }

  /** The providers, best first: each once for a kind of endpoints and a device. */
  public static List<ProviderInfo> providers() {
    return Providers.all();
  }
}
