package io.linerate.driver.ring;

import io.linerate.core.config.EngineConfig;
import io.linerate.testkit.PortConformance;
import io.linerate.testkit.PortFixture;
import java.util.List;

final class RingPortConformanceTest extends PortConformance {
  @Override
  protected PortFixture open(EngineConfig config, List<byte[]> arriving) {
    return RingFixture.ofWire(config, arriving, "");
  }
}
