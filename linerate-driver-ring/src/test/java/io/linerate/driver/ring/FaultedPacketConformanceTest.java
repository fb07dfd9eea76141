package io.linerate.driver.ring;

/** A fault port before an interface of the kernel. */
final class FaultedPacketConformanceTest extends FaultedInterfaceConformance {
  FaultedPacketConformanceTest() {
    super("p", "packet:", 9_000, 512);
  }
}
