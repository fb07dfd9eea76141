package io.linerate.fabric.port;

/** By connections of tcp. */
final class TcpPortConformanceTest extends FabricPortConformance {
  @Override
  protected String address() {
    return "fabric:tcp:127.0.0.1:" + FreePorts.pair();
  }
}
