package io.linerate.driver.linux.xdp;

final class GenericXdpConformanceTest extends XdpConformance {
  GenericXdpConformanceTest() {
    super("g", 1_500, ",mode=generic");
  }
}
