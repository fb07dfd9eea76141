package io.linerate.driver.pcap;

import io.linerate.core.config.EngineConfig;
import io.linerate.testkit.PortConformance;
import io.linerate.testkit.PortFixture;
import java.io.IOException;
import java.util.List;

final class PcapPortConformanceTest extends PortConformance {
  @Override
  protected PortFixture open(EngineConfig config, List<byte[]> arriving) throws IOException {
    return new PcapFixture(config, arriving, ".pcap");
  }

  /** A file takes all that it is given. */
  @Override
  protected boolean canFillUp() {
    return false;
  }
}
