package io.linerate.driver.linux.xdp;

final class NativeXdpConformanceTest extends XdpConformance {
  NativeXdpConformanceTest() {
    super("n", 1_500, ",mode=native");
  }
}
