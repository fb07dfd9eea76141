package io.linerate.driver.linux.xdp;

/** Its queue is one of those that can share the rings of a queue of the device. */
final class SpreadXdpConformanceTest extends XdpConformance {
  SpreadXdpConformanceTest() {
    super("s", 1_500, ",mode=native", ",spread=1");
  }
}
