/** User-level networking: endpoints, registered memory and remote memory on libfabric. */
@SuppressWarnings("module") // The applications are built later.
module io.linerate.fabric {
  requires io.linerate.core;
  requires static org.jspecify;

  exports io.linerate.fabric;
  exports io.linerate.fabric.channel;
  exports io.linerate.fabric.heap;
  exports io.linerate.fabric.replication;

  provides io.linerate.core.port.PortProvider with
      io.linerate.fabric.port.FabricPortProvider;
}
