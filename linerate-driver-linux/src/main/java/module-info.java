/** {@code packet:}, {@code xdp:} and {@code tap:} ports. */
@SuppressWarnings("module") // The applications are built later.
module io.linerate.driver.linux {
  requires transitive io.linerate.core;
  requires static org.jspecify;

  exports io.linerate.driver.linux;
  exports io.linerate.driver.linux.route to
      io.linerate.apps;
  exports io.linerate.driver.linux.xdp to
      io.linerate.apps;

  provides io.linerate.core.port.PortProvider with
      io.linerate.driver.linux.packet.PacketPortProvider,
      io.linerate.driver.linux.tap.TapPortProvider,
      io.linerate.driver.linux.xdp.XdpPortProvider;
}
