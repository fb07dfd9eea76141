package io.linerate.driver.linux.xdp;

import io.linerate.driver.linux.SteeringSuite;
import org.junit.jupiter.api.BeforeAll;

class GenericXdpSteeringTest extends SteeringSuite {
  GenericXdpSteeringTest() {
    super("g", "xdp:%s,spread=2,mode=generic");
  }

  @BeforeAll
  static void requireXdp() {
    Lab.requireXdp();
  }
}
