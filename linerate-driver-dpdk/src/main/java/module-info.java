/** {@code dpdk:} ports. */
@SuppressWarnings("module") // The applications are built later.
module io.linerate.driver.dpdk {
  requires io.linerate.core;
  requires static org.jspecify;

  exports io.linerate.driver.dpdk to
      io.linerate.apps;

  provides io.linerate.core.config.SettingsOwner with
      io.linerate.driver.dpdk.DpdkSettings;
  provides io.linerate.core.port.PortProvider with
      io.linerate.driver.dpdk.DpdkPortProvider;
}
