package io.linerate.systemtest;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.fabric.Fabric;
import io.linerate.testkit.FreePorts;

/** Where programs meet by a fabric. */
final class FabricLab {
  private FabricLab() {}

  /** Skips the test where there is no fabric. */
  static void requireFabric() {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
  }

  /** An address that nobody has, nor the one behind it, which ports use, too. */
  static String address(String provider) {
    return provider.equals("shm")
        ? "fabric:shm:lr-program-" + ProcessHandle.current().pid()
        : "fabric:%s:127.0.0.1:%d".formatted(provider, FreePorts.inARow(2));
  }
}
