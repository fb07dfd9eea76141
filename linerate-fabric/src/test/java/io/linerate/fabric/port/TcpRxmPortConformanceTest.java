package io.linerate.fabric.port;

/** By tcp without connections. */
final class TcpRxmPortConformanceTest extends FabricPortConformance {
  @Override
  protected String address() {
    return "fabric:tcp+rxm:127.0.0.1:" + FreePorts.pair();
  }
}
