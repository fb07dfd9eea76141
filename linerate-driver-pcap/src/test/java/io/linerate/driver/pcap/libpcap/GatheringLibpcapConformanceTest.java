package io.linerate.driver.pcap.libpcap;

/** As libpcap reads blocks in which packets gather. */
final class GatheringLibpcapConformanceTest extends LibpcapConformance {
  GatheringLibpcapConformanceTest() {
    super(",immediate=off,timeout=1ms");
  }
}
