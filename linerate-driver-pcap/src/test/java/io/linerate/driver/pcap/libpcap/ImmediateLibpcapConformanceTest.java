package io.linerate.driver.pcap.libpcap;

/** As libpcap reads slots of one size. */
final class ImmediateLibpcapConformanceTest extends LibpcapConformance {
  ImmediateLibpcapConformanceTest() {
    super("");
  }
}
