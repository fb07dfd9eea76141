/** {@code pcap:} ports, and a writer of capture files. */
module io.linerate.driver.pcap {
  requires transitive io.linerate.core;
  requires static org.jspecify;

  exports io.linerate.driver.pcap;

  provides io.linerate.core.port.PortProvider with
      io.linerate.driver.pcap.PcapPortProvider;
}
