package io.linerate.driver.linux.xdp;

import io.linerate.driver.linux.SteeringSuite;
import org.junit.jupiter.api.BeforeAll;

class NativeXdpSteeringTest extends SteeringSuite {
  NativeXdpSteeringTest() {
    super("n", "xdp:%s,spread=2,mode=native");
  }

  @BeforeAll
  static void requireXdp() {
    Lab.requireXdp();
  }
}
