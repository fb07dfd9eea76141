package io.linerate.fabric.port;

import io.linerate.fabric.FabricAddresses;

/** By tcp without connections. */
final class TcpRxmPortConformanceTest extends FabricPortConformance {
  @Override
  protected String address() {
    return FabricAddresses.free("tcp+rxm", 2).toString();
  }
}
