package io.linerate.driver.ring;

import io.linerate.core.config.EngineConfig;
import io.linerate.testkit.PortConformance;
import io.linerate.testkit.PortFixture;
import java.util.List;

/** A fault port that holds what passes, in both directions. */
final class DelayedPortConformanceTest extends PortConformance {
  @Override
  protected PortFixture open(EngineConfig config, List<byte[]> arriving) {
    return RingFixture.ofWire(
        config, arriving, "fault:direction=both,delay=300us,jitter=500us,port=");
  }

  /** It does, but what it holds leaves with the next flush only, and the suite asks for none. */
  @Override
  protected boolean canFillUp() {
    return false;
  }
}
