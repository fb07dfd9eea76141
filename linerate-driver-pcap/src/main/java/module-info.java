/** {@code pcap:} and {@code libpcap:} ports, and a writer of capture files. */
@SuppressWarnings("module") // The applications are built later.
module io.linerate.driver.pcap {
  requires transitive io.linerate.core;
  requires io.linerate.driver.linux;
  requires static org.jspecify;

  exports io.linerate.driver.pcap;
  exports io.linerate.driver.pcap.libpcap to
      io.linerate.apps;

  provides io.linerate.core.port.PortProvider with
      io.linerate.driver.pcap.PcapPortProvider,
      io.linerate.driver.pcap.libpcap.LibpcapPortProvider;
}
