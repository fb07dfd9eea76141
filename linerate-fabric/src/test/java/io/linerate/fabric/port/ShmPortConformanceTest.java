package io.linerate.fabric.port;

import io.linerate.fabric.FabricAddresses;

/** By shm. */
final class ShmPortConformanceTest extends FabricPortConformance {
  @Override
  protected String address() {
    return FabricAddresses.free("shm").toString();
  }
}
