package io.linerate.driver.linux.packet;

import io.linerate.driver.linux.SteeringSuite;

class PacketSteeringTest extends SteeringSuite {
  PacketSteeringTest() {
    super("p", "packet:%s,fanout=rules");
  }
}
