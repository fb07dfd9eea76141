/** {@code ring:} ports, and {@code trace:}, {@code record:} and {@code fault:} before others. */
module io.linerate.driver.ring {
  requires io.linerate.core;
  requires io.linerate.driver.pcap;
  requires static org.jspecify;

  provides io.linerate.core.port.PortProvider with
      io.linerate.driver.ring.FaultProvider,
      io.linerate.driver.ring.RecordProvider,
      io.linerate.driver.ring.RingProvider,
      io.linerate.driver.ring.TraceProvider;
}
