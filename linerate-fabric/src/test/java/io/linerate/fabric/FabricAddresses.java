package io.linerate.fabric;

import io.linerate.testkit.FreePorts;
import java.util.concurrent.atomic.AtomicInteger;

/** Addresses that nobody has. */
public final class FabricAddresses {
  private static final AtomicInteger NAMES = new AtomicInteger();

  private FabricAddresses() {}

  /** One of a provider. */
  public static FabricAddress free(String provider) {
    return free(provider, 1);
  }

  /** One of a provider, whose next ports are free, too: so many together. */
  public static FabricAddress free(String provider, int ports) {
    return FabricAddress.parse(
        provider.equals("shm")
            ? "fabric:shm:lr-test-%d-%d"
                .formatted(ProcessHandle.current().pid(), NAMES.incrementAndGet())
            : "fabric:%s:127.0.0.1:%d".formatted(provider, FreePorts.inARow(ports)));
  }
}
