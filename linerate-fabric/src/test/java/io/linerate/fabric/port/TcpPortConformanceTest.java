package io.linerate.fabric.port;

import io.linerate.fabric.FabricAddresses;

/** By connections of tcp. */
final class TcpPortConformanceTest extends FabricPortConformance {
  @Override
  protected String address() {
    return FabricAddresses.free("tcp", 2).toString();
  }
}
