package io.linerate.driver.ring;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.driver.linux.Capabilities;
import io.linerate.driver.linux.Capabilities.Capability;
import org.junit.jupiter.api.BeforeAll;

/** A fault port before an interface of the kernel, through AF_XDP. */
final class FaultedXdpConformanceTest extends FaultedInterfaceConformance {
  FaultedXdpConformanceTest() {
    super("x", "xdp:", 1_500, 128);
  }

  @BeforeAll
  void requireXdp() {
    assumeTrue(Capabilities.read().has(Capability.CAP_BPF), "skipped: needs CAP_BPF");
  }
}
